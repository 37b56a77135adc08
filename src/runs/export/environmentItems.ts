/**
 * D_env, the environment pool (paper §2.3): each generated task of a family that the difficulty filter kept, in the
 * order scored, once for each epoch that scored it. Tasks made elsewhere (mode `offline`) have no text of an environment
 * policy and are not in it.
 */
import * as l10n from '@vscode/l10n';
import { curriculumAfter, type CurriculumInForce } from '../../shared/journal/curriculum.ts';
import type { FamilyScore } from '../../shared/journal/events.ts';
import type { Generation, Task } from '../../shared/records/task.ts';
import { RunError } from '../store/runError.ts';
import type { Leave } from './leftOut.ts';
import { PoolEdits } from './poolEdits.ts';
import { isInPart, type PoolPart } from './poolPart.ts';
import type { PoolSource } from './poolSource.ts';

/** An epoch's scoring of one task that it kept. */
interface ScoredTask {
  epoch: number;
  /** By which that epoch was scored. */
  lambda: number;
  family: FamilyScore;
  scored: FamilyScore['tasks'][number];
  /** Its weight in that epoch's regression, relative to the mean of the epoch's kept tasks, which is 1. */
  weight: number;
}

export interface EnvironmentItem extends ScoredTask {
  task: Task;
  generation: Generation;
}

interface Options {
  part?: PoolPart;
  leave?: Leave;
}

/** From the journal alone. */
async function* scoredTasks(
  source: Pick<PoolSource, 'events'>,
  { part = {}, leave }: Options = {},
): AsyncGenerator<ScoredTask & { seq: number }> {
  let settings: CurriculumInForce | null = null;
  for await (const event of source.events()) {
    if (event.type === 'epoch.started') ({ settings } = event);
    if (event.type === 'settings.changed' && settings !== null) settings = curriculumAfter(settings, event);
    if (event.type !== 'families.scored' || settings === null || !isInPart({ epoch: event.epoch }, part)) continue;
    const { epoch, seq } = event;
    const { lambda } = settings;
    const kept = event.families.flatMap(({ tasks }) => tasks.filter(({ weight }) => weight > 0)).length;
    for (const family of event.families) {
      for (const scored of family.tasks) {
        if (family.origin === 'offline') leave?.('offline', scored.id);
        else if (scored.weight > 0) yield { epoch, seq, lambda, family, scored, weight: scored.weight * kept };
        else leave?.(scored.attempts === 0 ? 'unattempted' : 'filtered', scored.id);
      }
    }
  }
}

/** @throws RunError `format` for a scored task that is not recorded, and the source's errors */
export async function* environmentItems(source: PoolSource, options: Options = {}): AsyncGenerator<EnvironmentItem> {
  const edits = await PoolEdits.read(source);
  for await (const { seq, ...item } of scoredTasks(source, options)) {
    const { id } = item.scored;
    const changed = edits.isExcluded(id) ? 'excluded' : edits.isEdited(id) ? 'edited' : null;
    if (changed !== null) {
      options.leave?.(changed, id);
      continue;
    }
    const task = await source.task(id);
    if (task?.generation === undefined) throw missing(source, id, seq);
    yield { ...item, task, generation: task.generation };
  }
}

function missing({ dir }: PoolSource, id: string, seq: number): RunError {
  return new RunError('format', {
    path: dir,
    field: 'families.tasks.id',
    what: l10n.t('event {0} of the journal scores task "{1}", whose text is not recorded', seq, id),
    remedy: l10n.t('Restore tasks.jsonl from a copy.'),
  });
}
