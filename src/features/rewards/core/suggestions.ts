/** Which recorded attempts would make good cases: those that rewards disagree on, and those at the threshold of success. */
import type { Verdict } from '../../../shared/records/trace.ts';
import { fateOf, type Change, type Fate, type Rejudged } from '../../rescore/contract/rejudged.ts';
import { successThreshold } from './threshold.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Rewards nearer to the threshold are at it. */
const near = 0.1;
/** Attempts at one task that are suggested. */
const ofOneTask = 2;

/** Why an attempt is worth a person's look. */
export type SuggestionReason =
  /** The fates differ: `before` by the compared verdict, `after` by the reward that gets the case. */
  | { kind: 'disagreement'; fate: Change<Fate>; reward: Change<number> }
  /** Its reward is nearly that from which on attempts are successes. */
  | { kind: 'threshold'; reward: number; threshold: number; success: boolean };

export type Suggestion = Pick<Rejudged, 'id' | 'task' | 'family' | 'epoch'> & { reason: SuggestionReason };

/** An attempt with the compared parts of its verdicts. */
type Seen = Pick<Rejudged, 'id' | 'task' | 'family' | 'epoch'> & { before: Judged; after: Judged };
type Judged = Pick<Verdict, 'success' | 'reward'> & { failed: boolean };

/** The suggestions from a run's attempts. Holds only the two judgements of each. */
export class Suggestions {
  readonly #seen: Seen[] = [];

  /** `before` is the compared verdict. */
  add({ id, task, family, epoch, verdict }: Rejudged): void {
    this.#seen.push({ id, task, family, epoch, before: judged(verdict.before), after: judged(verdict.after) });
  }

  get attempts(): number {
    return this.#seen.length;
  }

  /** Null where all attempts are successes, or none is. */
  threshold(): number | null {
    return successThreshold(this.#seen.flatMap(({ after }) => (after.failed ? [] : [after])));
  }

  /**
   * At most so many, the most telling first, then the newest; of tasks, families and kinds that are not among them yet before others.
   * @param pinned ids of attempts that are cases already
   */
  pick(most: number, pinned: ReadonlySet<string>): Suggestion[] {
    const threshold = this.threshold();
    const waiting = this.#seen
      .flatMap((seen) => candidate(seen, threshold))
      .filter(({ id }) => !pinned.has(id))
      .sort((a, b) => weight(a.reason) - weight(b.reason) || b.epoch - a.epoch);
    const taken = {
      task: new Map<string, number>(),
      family: new Map<string, number>(),
      kind: new Map<string, number>(),
    };
    const picked: Suggestion[] = [];
    while (picked.length < most) {
      let best: { one: Suggestion; costs: number[] } | null = null;
      for (const one of waiting) {
        const tasks = taken.task.get(one.task) ?? 0;
        if (tasks >= ofOneTask) continue;
        const costs = [tasks, taken.kind.get(kindOf(one)) ?? 0, taken.family.get(one.family) ?? 0];
        if (best === null || isLess(costs, best.costs)) best = { one, costs };
      }
      if (best === null) break;
      const { one } = best;
      waiting.splice(waiting.indexOf(one), 1);
      picked.push(one);
      more(taken.task, one.task);
      more(taken.family, one.family);
      more(taken.kind, kindOf(one));
    }
    return picked;
  }
}

const judged = ({ success, reward, error }: Verdict): Judged => ({ success, reward, failed: error !== undefined });

const fate = ({ success, failed }: Judged): Fate => fateOf({ success, reward: 0, ...(failed && { error: '' }) });

function candidate({ before, after, ...of }: Seen, threshold: number | null): Suggestion[] {
  const fates = { before: fate(before), after: fate(after) };
  if (fates.before !== fates.after) {
    const reward = { before: before.reward, after: after.reward };
    return [{ ...of, reason: { kind: 'disagreement', fate: fates, reward } }];
  }
  if (threshold === null || after.failed || Math.abs(after.reward - threshold) > near) return [];
  const { reward, success } = after;
  return [{ ...of, reason: { kind: 'threshold', reward, threshold, success } }];
}

/** Most informative first: wide disagreements, then the ones nearest to the threshold. */
const weight = (reason: SuggestionReason): number =>
  reason.kind === 'threshold'
    ? 1 + Math.abs(reason.reward - reason.threshold)
    : 1 - Math.abs(reason.reward.after - reason.reward.before);

/** Solved that was failed is another kind than failed that was solved. */
const kindOf = ({ reason }: Suggestion): string =>
  reason.kind === 'threshold' ? `threshold ${reason.success}` : `${reason.fate.before} ${reason.fate.after}`;

const more = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

/** The first that differs decides. */
function isLess(costs: readonly number[], others: readonly number[]): boolean {
  const differs = costs.findIndex((cost, index) => cost !== others[index]);
  return differs >= 0 && (costs[differs] ?? outOfRange()) < (others[differs] ?? outOfRange());
}
