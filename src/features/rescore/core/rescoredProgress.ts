/**
 * Learning progress under the other reward: each family against its seed's newest family before, as the other reward judges
 * both. Of families before the first epoch that is judged again p̂ is the recorded one, as in a branch that changes its
 * reward there.
 */
import { triesOf } from '../../../engine/phases/groups.ts';
import type { Signals } from '../../../engine/phases/score.ts';
import { progressOf, type SeedRate } from '../../../engine/rewardKinds/progress.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Judgement } from '../contract/rejudged.ts';

export class RescoredProgress {
  readonly #rates = new Map<string, SeedRate>();

  /**
   * By task of an epoch, and keeps its rates for later ones: epochs in order.
   * @param before recorded rates by seed, of epochs that are not judged again
   */
  take(
    families: readonly Pick<FamilyScore, 'seed' | 'tasks'>[],
    verdictsOf: (task: string) => readonly { verdict: Judgement }[],
    { version, before }: { version: string; before: ReadonlyMap<string, SeedRate> },
  ): Signals {
    const signals = new Map<string, number>();
    const rates: [string, SeedRate][] = [];
    for (const { seed, tasks } of families) {
      const { successes, attempts } = triesOf(tasks.flatMap(({ id }) => verdictsOf(id)));
      if (seed === null || attempts === 0) continue;
      const now = { p: successes / attempts, version };
      const change = progressOf(now, this.#rates.get(seed) ?? before.get(seed));
      if (change !== null) for (const { id } of tasks) signals.set(id, change);
      rates.push([seed, now]);
    }
    for (const [seed, rate] of rates) this.#rates.set(seed, rate);
    return signals;
  }
}
