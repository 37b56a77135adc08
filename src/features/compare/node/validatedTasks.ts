/** The held-out tasks of a validation as they were when it was made: a branch has its first ones from other runs. */
import { validationTasks } from '../../../engine/byDomain.ts';
import type { Domain } from '../../../engine/ports.ts';
import { experimentIn, type Lineage } from '../../../runs/journal/lineage.ts';
import { severalDomains } from '../../../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { ValidationTask } from '../core/sharedTasks.ts';

/** A validation of a run. */
interface Validation {
  epoch: number;
  /** How many. */
  tasks: number;
}

/** Of the run that made an epoch. Without changes on the way: none of them is of how a validation is made. */
export const experimentOf = (lineage: Lineage, epoch: number): Experiment => experimentIn(lineage, epoch, []);

/**
 * In the order of its outcomes; null where they are no longer known, as the run that made them is gone.
 * @param experiment of the run itself: its domains and copies of files are those of the runs before it
 */
export async function validatedTasks(
  { experiment, lineage }: { experiment: Experiment; lineage: Lineage },
  { epoch, tasks: count }: Validation,
  open: (experiment: Experiment) => Promise<Pick<Domain, 'seeds' | 'fingerprint'>>,
): Promise<ValidationTask[] | null> {
  const most = experimentOf(lineage, epoch).validation.tasks;
  const then = { ...experiment, validation: { ...experiment.validation, tasks: most } };
  const domain = await open(then);
  const tasks = validationTasks(domain.seeds('validation'), severalDomains(then), most);
  if (tasks.length !== count) return null;
  return tasks.map((task) => ({ id: task.id, key: domain.fingerprint(task) }));
}
