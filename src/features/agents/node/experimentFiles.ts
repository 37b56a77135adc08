/** Which files an experiment of an agent may name: a run reads or executes them, and keeps copies that agents can read. */
import { resolve } from 'node:path';
import { adapterPath, isShippedAdapter } from '../../../launch/adapters/adapterPath.ts';
import { dataFolder } from '../../../launch/adapters/locate.ts';
import { readAdapterFile } from '../../../launch/adapters/readAdapterFile.ts';
import { testSetAdapters } from '../../../launch/inputs/testSets.ts';
import { readAnew } from '../../../launch/branchedFiles.ts';
import { namedFiles } from '../../../shared/experiment/fields/namedFiles.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import { named } from '../core/quoting.ts';
import type { AgentContext } from './agentContext.ts';

/** @throws AgentError `outside`; InputError for an adapter that cannot be used */
export async function checkExperiment(context: AgentContext, experiment: Experiment, directory: string): Promise<void> {
  const { reach } = context;
  for (const { field, name } of namedFiles(experiment)) {
    await reach.check(resolve(directory, name), `“${named(name)}” (${field})`);
  }
  const { dist } = context.place;
  for (const path of await adaptersOf(experiment, directory, dist)) {
    if (isShippedAdapter(path, dist)) continue;
    await reach.check(path, `“${named(path)}”`);
    const folder = dataFolder(path, (await readAdapterFile(path, path)).adapter.data);
    if (folder !== null) await reach.check(folder, `The data folder of the adapter “${named(path)}”`);
  }
}

/** Absolute paths of the adapters that a run of it reads. */
async function adaptersOf(experiment: Experiment, directory: string, dist: URL): Promise<Set<string>> {
  const { adapter, data } = experiment.evaluation;
  const benchmark = adapter === null || data !== null ? null : await adapterPath(adapter, directory, dist);
  const recipes = domainsOf(experiment).flatMap(({ settings: { file } }) =>
    file?.endsWith('.adapter.json') === true ? [resolve(directory, file)] : [],
  );
  const sets = await testSetAdapters(experiment, directory, dist);
  return new Set([...recipes, ...(benchmark === null ? [] : [benchmark]), ...sets]);
}

/** Fields of which a branch would name, or read, another file than its parent, however the change was written. */
export function otherFiles(before: Experiment, after: Experiment): string[] {
  const files = (experiment: Experiment): Map<string, string> =>
    new Map(namedFiles(experiment).map(({ field, name }) => [field, name]));
  const [old, now] = [files(before), files(after)];
  const changed = [...old.keys(), ...now.keys()].filter((field) => old.get(field) !== now.get(field));
  // A file that the parent names and does not use is read anew, too.
  return [...new Set([...changed, ...readAnew(before, after, [])])];
}
