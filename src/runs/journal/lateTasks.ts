import type { LateTasks } from '../../shared/journal/counted.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';

/** Late tasks of every epoch (`rollouts.late`), by a run's journal. */
export async function lateTasks(run: { events(): AsyncIterable<JournalEvent> }): Promise<LateTasks> {
  const late = new Map<number, readonly string[]>();
  for await (const event of run.events()) {
    if (event.type === 'rollouts.finished' && event.late !== undefined) late.set(event.epoch, event.late);
  }
  return late;
}
