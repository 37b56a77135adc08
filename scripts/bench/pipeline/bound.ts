/** The least time of epochs whose updates wait for all of their answers, whatever the order of these. */
import type { Served } from './slots.ts';

/** Sum of some answers, in milliseconds. */
export const workOf = (served: readonly Served[]): number =>
  served.reduce((sum, { milliseconds }) => sum + milliseconds, 0);

/**
 * Least milliseconds of all epochs: each takes as long as its answers on full slots or, if that is longer, as the longest
 * text with the longest attempt at it; then come its updates.
 *
 * @param update milliseconds of an epoch's updates
 */
export function leastTime(served: readonly Served[], { slots, update }: { slots: number; update: number }): number {
  const epochs = Map.groupBy(served, ({ id }) => id.split('.')[0] ?? '');
  return [...epochs.values()].reduce((sum, own) => sum + Math.max(workOf(own) / slots, longestChain(own)) + update, 0);
}

/** A text's request is named `e3.f2/1` for all variations of a family, an attempt's by its task: `e3.f2.v1`. */
function longestChain(served: readonly Served[]): number {
  const texts = new Map<string, number>();
  for (const { id, index, milliseconds } of served) {
    if (id.includes('/')) texts.set(`${id.split('/')[0] ?? ''}.v${index}`, milliseconds);
  }
  return served.reduce((most, { id, milliseconds }) => Math.max(most, milliseconds + (texts.get(id) ?? 0)), 0);
}
