/** The settings that each epoch of a run was trained by; a branch's shared epochs by those of the run that made them. */
import type { RunState } from '../../engine/state.ts';
import { append } from '../../shared/append.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { changesOf } from './experimentNow.ts';
import { experimentIn, lineageOf, type OwnSettings } from './lineage.ts';

interface Run {
  dir: string;
  manifest: OwnSettings;
  events(): AsyncIterable<JournalEvent> | Iterable<JournalEvent>;
}

/** By the journal as it is now. The result throws RunError `format` where a change does not fit. @throws RunError */
export async function epochSettings(run: Run): Promise<(epoch: number) => Experiment> {
  const changes: RunState['changes'][number][] = [];
  for await (const event of run.events()) {
    if (event.type === 'settings.changed') append(changes, changesOf(event));
  }
  const lineage = await lineageOf(run.dir, run.manifest);
  const known = new Map<number, Experiment>();
  return (epoch) => {
    const settings =
      known.get(epoch) ??
      experimentIn(
        lineage,
        epoch,
        changes.filter((change) => change.epoch <= epoch),
      );
    known.set(epoch, settings);
    return settings;
  };
}
