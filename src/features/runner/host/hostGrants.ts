/** The grants for a runner, from this editor's secret storage and the user's consents. */
import { dirname } from 'node:path';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { tracesSettings } from '../../../host/servers/tracesSettings.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { originOf } from '../../../shared/experiment/endpoints/origins.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Grant } from '../contract.ts';

/** The part of an experiment that names servers. */
type Naming = Pick<Experiment, 'endpoints' | 'generation'>;

/** Asks the user for missing keys; refused ones are left out, and the run waits for them. */
export const grantsAsked = (experiment: Naming, keys: HostKeys): Promise<Grant[]> => grantsFrom(experiment, keys);

/** Without questions: earlier consents, and stored keys. */
export async function grantsKept(store: RunStore, run: string, keys: HostKeys): Promise<Grant[]> {
  try {
    const reader = await store.openReader(run);
    await reader.close();
    return await grantsFrom(reader.manifest.experiment, keys.quiet);
  } catch (error) {
    // The runner reports the run's fault.
    if (RunError.is(error)) return [];
    throw error;
  }
}

/** The same for all runs of a study; its own process reports a faulty one. */
export async function grantsOfStudy(path: string, keys: HostKeys): Promise<Grant[]> {
  const { openStudy } = await import('../../study/node/openStudy.ts');
  try {
    const { plan } = await openStudy(dirname(path), path);
    const { byServers } = await import('../node/grants.ts');
    const all = byServers(plan.members);
    const grants = await Promise.all(all.map((experiment) => grantsFrom(experiment, keys.quiet)));
    return grants.flat();
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

async function grantsFrom(experiment: Naming, keys: Keys): Promise<Grant[]> {
  const { niceToHave, tracesWish, wishesOf } = await import('../node/grants.ts');
  const grants: Grant[] = [];
  for (const { key, url } of [...wishesOf(experiment), ...niceToHave(experiment), ...tracesWish(tracesSettings())]) {
    try {
      const origin = originOf(url);
      if (key !== null) grants.push({ key, origin, value: await keys.find(key, url) });
      else {
        await keys.reach(url);
        grants.push({ key, origin, value: '' });
      }
    } catch (error) {
      if (!KeyError.is(error)) throw error;
    }
  }
  return grants;
}
