/** Which epochs a rescoring scores again, and how each was scored. */
import { experimentNow } from '../../../runs/journal/experimentNow.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { append } from '../../../shared/append.ts';
import type { FieldChange } from '../../../shared/experiment/changeable.ts';
import { countsIn, type LateTasks } from '../../../shared/journal/counted.ts';
import { weighingOf } from '../../../shared/journal/curriculum.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { ScoredEpoch } from '../core/epochChange.ts';

/** Both included. */
export interface Epochs {
  first: number;
  last: number;
}

interface Run {
  manifest: Pick<Manifest, 'parent' | 'experiment'>;
  events(): AsyncIterable<JournalEvent>;
}

/** How each epoch was scored, under the settings in force when it was. */
export async function* scoredEpochs(run: Run, { first, last }: Epochs, late: LateTasks): AsyncGenerator<ScoredEpoch> {
  const changes: (FieldChange & { epoch: number })[] = [];
  let dropped = new Set<string>();
  for await (const event of run.events()) {
    if (event.type === 'epoch.started') dropped = new Set();
    if (event.type === 'rollouts.finished') for (const { task } of event.dropped?.groups ?? []) dropped.add(task);
    if (event.type === 'settings.changed') {
      append(
        changes,
        event.changes.map(({ field, to }) => ({ field, to, epoch: event.epoch })),
      );
    }
    if (event.type !== 'families.scored' || event.epoch < first || event.epoch > last) continue;
    const experiment = experimentNow(run.manifest, { changes });
    const { agent } = experiment;
    const curriculum = { ...experiment.curriculum, ...weighingOf(experiment) };
    const { epoch, families } = event;
    const warm = epoch <= curriculum.warmupEpochs;
    const both = { own: new Set(late.get(epoch)), before: new Set(late.get(epoch - 1)) };
    yield { epoch, families, curriculum, warm, advantageNorm: agent.advantageNorm, dropped, late: both };
  }
}

/** Which attempts are judged again: those of the epochs asked for, and late ones of the epoch before, which count in the first. */
export function isIn(
  { first, last }: Epochs,
  late: LateTasks,
): (trace: Pick<Trace, 'purpose' | 'task' | 'epoch'>) => boolean {
  const counts = countsIn(late, first);
  return (trace) => trace.epoch <= last && (trace.epoch >= first || (trace.purpose === 'train' && counts(trace)));
}
