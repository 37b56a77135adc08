/**
 * Journals of older versions treated all attempts as independent, which made intervals two to four times too narrow.
 * Their rates are recomputed as in current journals: from the counts of their tasks, or with the assumed correlation
 * where the journal has none.
 */
import { assumedCorrelation, assumedRate, epochRates } from '../../engine/math/written/clusters.ts';
import type { EpochSummary, EventOf, JournalEvent } from '../../shared/journal/events.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';

/** Whether it was written when attempts were taken for independent. */
export const isOld = ({ attempts, effective }: SuccessRate): boolean => effective === undefined && attempts > 0;

/** @param scored of its epoch, where it has been read */
export function clusteredSummary(summary: EpochSummary, scored: SuccessRate | null = null): EpochSummary {
  const { successRate, families } = summary;
  if (!isOld(successRate)) return summary;
  return { ...summary, successRate: scored ?? assumedRate(successRate, families, assumedCorrelation.family) };
}

/** Takes the events of one journal, in order and from any on. */
export class ClusteredRates {
  #scored: { epoch: number; rate: SuccessRate } | null = null;
  #validated: { epoch: number; rate: SuccessRate } | null = null;

  of(event: JournalEvent): JournalEvent {
    switch (event.type) {
      case 'families.scored': {
        const scored = clusteredScores(event);
        this.#scored = { epoch: event.epoch, rate: scored.successRate };
        return scored;
      }
      case 'validated': {
        const validated = clusteredValidation(event);
        this.#validated = { epoch: event.epoch, rate: validated.successRate };
        return validated;
      }
      case 'epoch.finished': {
        const own = (held: { epoch: number; rate: SuccessRate } | null): SuccessRate | null =>
          held?.epoch === event.epoch ? held.rate : null;
        const summary = clusteredSummary(event.summary, own(this.#scored));
        const validation = summary.validation && isOld(summary.validation) ? own(this.#validated) : null;
        return { ...event, summary: validation === null ? summary : { ...summary, validation } };
      }
      default:
        return event;
    }
  }
}

function clusteredScores(event: EventOf<'families.scored'>): EventOf<'families.scored'> {
  const { families, successRate, baseSuccessRate } = event;
  if (!isOld(successRate) && !isOld(baseSuccessRate)) return event;
  const rates = epochRates(families.map(({ tasks }) => tasks));
  const tasks = families.reduce((sum, family) => sum + family.tasks.length, 0);
  // The number of mixed-in tasks is not journaled: they were attempted as often as the others.
  const mixed = successRate.attempts === 0 ? 1 : (baseSuccessRate.attempts / successRate.attempts) * tasks;
  return {
    ...event,
    families: families.map((family, i) => ({ ...family, successRate: rates.families[i] ?? family.successRate })),
    successRate: families.length === 0 ? successRate : rates.epoch,
    baseSuccessRate: assumedRate(baseSuccessRate, mixed, assumedCorrelation.task),
  };
}

function clusteredValidation(event: EventOf<'validated'>): EventOf<'validated'> {
  if (!isOld(event.successRate)) return event;
  const tasks = event.outcomes.replaceAll('-', '').length;
  return { ...event, successRate: assumedRate(event.successRate, tasks, assumedCorrelation.task) };
}
