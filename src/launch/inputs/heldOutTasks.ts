/** How many held-out tasks a run measures on, counted in the files that were read. */
import { domainsOf, withDomain, type DomainPart } from '../../shared/experiment/tasks/domains.ts';
import { heldOutFile } from '../../shared/experiment/tasks/heldOut.ts';
import { hasOwnTasks } from '../../shared/experiment/tasks/shippedDomains.ts';
import { limits } from '../../shared/experiment/limits.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import { parseTaskFile } from '../../shared/records/taskFile.ts';
import { isBuiltIn } from '../scoring/openScorer.ts';
import { copiesOf } from './inputs.ts';

/** @param texts of `loadInputs`. Returns how many tasks a validation attempts, by the domain's name. */
export const heldOutTasks = (experiment: Experiment, texts: ReadonlyMap<string, string>): Map<string, number> =>
  new Map(
    domainsOf(experiment).map((part) => {
      const has = heldIn(part, experiment, texts);
      return [part.name, Math.min(part.validationTasks, has)];
    }),
  );

function heldIn(part: DomainPart, experiment: Experiment, texts: ReadonlyMap<string, string>): number {
  const { domain } = withDomain(experiment, part);
  const copies = copiesOf(experiment, part);
  if (heldOutFile(domain) !== null) return tasksIn(texts.get(copies.heldOut)).length;
  if (!hasOwnTasks(domain)) return 0;
  const others = domain.name === 'storekeeper' && !tasksIn(texts.get(copies.seeds)).every(isBuiltIn);
  return others ? 0 : limits.tasks(domain.name).validation;
}

function tasksIn(text: string | undefined): readonly Task[] {
  if (text === undefined) return [];
  const read = parseTaskFile(text, '', 'validation');
  return 'problems' in read ? [] : read.tasks;
}
