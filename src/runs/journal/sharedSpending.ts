/** Time, tokens and attempts of a run’s epochs up to one of them, which a branch from there shares. */
import { StateFold } from '../../engine/state.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { SharedSpending } from '../../shared/money/sharedWork.ts';

/** @param epoch the last one that is shared; 0 is before the first */
export async function sharedSpending(
  events: AsyncIterable<JournalEvent> | Iterable<JournalEvent>,
  epoch: number,
): Promise<SharedSpending> {
  const fold = new StateFold();
  for await (const event of events) {
    if (event.type === 'epoch.started' && event.epoch > epoch) break;
    fold.add(event);
  }
  const { spent, used, cut, validations, evaluations } = fold.state;
  return {
    ...{ ...spent, used, cut },
    ...{ validated: validations.length > 0, evaluated: evaluations.length > 0 },
  };
}
