/**
 * Late groups (`rollouts.late`): an epoch’s updates wait for the first units that are complete; the others continue, and
 * count in the next epoch, one version older. Every group counts, so nothing leans to short answers.
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import { neededOf, unitsOf, type Places } from '../spare/places.ts';

/** Share of an epoch’s units that its updates do not wait for; none where no epoch is attempted beside another. */
export const lateShare = ({ late, staleness }: Experiment['rollouts']): number => (staleness === 0 ? 0 : late);

/** How many tasks of each kind an epoch waits for. @param late share of them that may be late, 0…1 */
export function placesOnTime(tasks: Parameters<typeof unitsOf>[0], late: number): Places {
  const needed = [...neededOf(tasks)].map(([kind, count]) => [kind, Math.ceil(count * (1 - late) - 1e-9)] as const);
  return { units: unitsOf(tasks), needed: new Map(needed) };
}
