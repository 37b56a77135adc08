/** Tasks that measure must not be trained on, in whichever domain of the run they stand. */
import * as l10n from '@vscode/l10n';
import type { WritingAdapter } from '../../benchmarks/adapter/recipe/adapterRecipe.ts';
import { StorekeeperDomain } from '../../benchmarks/storekeeper/domain.ts';
import { append } from '../../shared/append.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { domainsOf, withDomain, type DomainPart } from '../../shared/experiment/tasks/domains.ts';
import { heldOutFile } from '../../shared/experiment/tasks/heldOut.ts';
import type { Task } from '../../shared/records/task.ts';
import { isBuiltIn } from '../scoring/openScorer.ts';
import { heldOutLike, sameAs } from './heldOutLike.ts';
import { InputError } from './inputError.ts';
import { faultOf, type Read } from './taskText.ts';

interface Measured {
  experiment: Experiment;
  /** The domain that trains on the tasks. */
  part: DomainPart;
  /** Held-out tasks of files, by the names of their domains. */
  heldOut: ReadonlyMap<string, readonly Task[]>;
  /** The domain, where it is an adapter's recipe. */
  adapter?: WritingAdapter;
}

/** @throws InputError with every task of the file that one of the run's domains holds out */
export async function refuseLeaks(read: Read, { experiment, part, heldOut, adapter }: Measured): Promise<void> {
  const { tasks } = read;
  const own: Task[] = [];
  const others: Task[] = [];
  for (const other of domainsOf(experiment)) {
    const held = await heldOutOf(withDomain(experiment, other), heldOut.get(other.name) ?? [], tasks);
    if (other.name === part.name) append(own, held);
    // As the loop names tasks of several domains.
    else
      append(
        others,
        held.map((task) => ({ ...task, id: `${other.name}.${task.id}` })),
      );
  }
  const like = await heldOutLike(withDomain(experiment, part), own, false, adapter);
  const elsewhere = sameAs(others);
  const problems = tasks.flatMap((task, i) => {
    const same = like(task) ?? elsewhere(task);
    if (same === null) return [];
    const message = l10n.t('The task {0} is the held-out task {1}: {2}.', task.id, same.id, same.by);
    return [faultOf(read, i, 'prompt', message, l10n.t('Take it out of what is trained on.'))];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** The built-in domain ships with held-out tasks, for want of a file. */
async function heldOutOf(alone: Experiment, held: readonly Task[], trained: readonly Task[]): Promise<readonly Task[]> {
  const { domain, validation } = alone;
  if (domain.name !== 'storekeeper' || held.length > 0 || heldOutFile(domain) !== null) return held;
  if (!trained.some(isBuiltIn)) return held;
  const measured = { seed: domain.taskSeed, validationTasks: validation.tasks };
  return (await StorekeeperDomain.open(measured)).seeds('validation');
}
