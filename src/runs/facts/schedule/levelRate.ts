import type { EventOf } from '../../../shared/journal/events.ts';

type Scored = Pick<EventOf<'families.scored'>, 'families' | 'successRate'>;

/**
 * An epoch's p̂ for alarms. Where families are cut off (`rollouts.cutOff`) the pooled one leans to those inside the band,
 * which have more attempts: there each family counts alike.
 */
export function levelRate({ families, successRate }: Scored): number | null {
  if (families.every(({ cutOff }) => cutOff === undefined)) return successRate.p;
  const rates = families.flatMap(({ successRate: { p } }) => p ?? []);
  return rates.length === 0 ? null : rates.reduce((sum, p) => sum + p, 0) / rates.length;
}
