/** Which epochs a rescoring scores again, and how each was scored. */
import { experimentIn, lineageOf, type OwnSettings } from '../../../runs/journal/lineage.ts';
import { append } from '../../../shared/append.ts';
import { defined } from '../../../shared/defined.ts';
import type { FieldChange } from '../../../shared/experiment/changeable.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { countsIn, type LateTasks } from '../../../shared/journal/counted.ts';
import { curriculumAfter, type CurriculumInForce } from '../../../shared/journal/curriculum.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { ScoredEpoch } from '../core/epochChange.ts';

/** Both included. */
export interface Epochs {
  first: number;
  last: number;
}

interface Run {
  dir: string;
  manifest: OwnSettings;
  events(): AsyncIterable<JournalEvent>;
}

/** How each epoch was scored, under the settings in force when it was. */
export async function* scoredEpochs(run: Run, { first, last }: Epochs, late: LateTasks): AsyncGenerator<ScoredEpoch> {
  const changes: (FieldChange & { epoch: number })[] = [];
  const lineage = await lineageOf(run.dir, run.manifest);
  let dropped = new Set<string>();
  let started: CurriculumInForce | null = null;
  for await (const event of run.events()) {
    if (event.type === 'epoch.started') [dropped, started] = [new Set(), event.settings];
    if (event.type === 'rollouts.finished') for (const { task } of event.dropped?.groups ?? []) dropped.add(task);
    if (event.type === 'settings.changed') {
      // Of the next epoch, before it begins: that one names them itself.
      if (started !== null) started = curriculumAfter(started, event);
      append(
        changes,
        event.changes.map(({ field, to }) => ({ field, to, epoch: event.epoch })),
      );
    }
    if (event.type !== 'families.scored' || event.epoch < first || event.epoch > last) continue;
    const { epoch, families } = event;
    const experiment = experimentIn(lineage, epoch, changes);
    const { agent } = experiment;
    const curriculum = curriculumOf(experiment, started);
    const warm = epoch <= curriculum.warmupEpochs;
    const both = { own: new Set(late.get(epoch)), before: new Set(late.get(epoch - 1)) };
    yield { epoch, families, curriculum, warm, advantageNorm: agent.advantageNorm, dropped, late: both };
  }
}

/** The settings of an epoch with the values that it began with: α follows a course, or is chosen by a controller. */
function curriculumOf({ curriculum }: Experiment, started: CurriculumInForce | null): ScoredEpoch['curriculum'] {
  if (started === null) throw new RangeError('Unreachable: families are scored in an epoch that has started.');
  const { alpha, beta, lambda, kMin, keepBest, reward = { kind: 'kernel', repetition: 0 } } = started;
  return {
    ...{ ...curriculum, alpha, beta, lambda, kMin, reward: { ...curriculum.reward, ...reward } },
    ...defined({ keepBest }),
  };
}

/** Which attempts are judged again: those of the epochs asked for, and late ones of the epoch before, which count in the first. */
export function isIn(
  { first, last }: Epochs,
  late: LateTasks,
): (trace: Pick<Trace, 'purpose' | 'task' | 'epoch'>) => boolean {
  const counts = countsIn(late, first);
  return (trace) => trace.epoch <= last && (trace.epoch >= first || (trace.purpose === 'train' && counts(trace)));
}
