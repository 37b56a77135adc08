/** The verdict on an episode of an OpenEnv server: by the file's `solved`, else by the last reward. */
import { errorVerdict, readResult, verdictOf } from '../../shared/rewards/result.ts';
import type { Step, Trace, Verdict } from '../../shared/records/trace.ts';

/** The argument of `solved`. */
export interface Played {
  observations: readonly Step['observation'][];
  rewards: readonly (number | null)[];
  done: boolean;
}

/** Null where the server reported nothing. */
export function playedOf({ steps }: Pick<Trace, 'steps'>): Played | null {
  if (steps === undefined) return null;
  return {
    observations: steps.map(({ observation }) => observation),
    rewards: steps.map(({ reward }) => reward),
    done: steps.some(({ done }) => done),
  };
}

/** Solved when the last reward is at least `solvedAt`; the reward is its share of that, 0…1. */
export function judgedByRewards({ rewards }: Played, solvedAt: number, stopReason: Trace['stopReason']): Verdict {
  const given = rewards.filter((reward) => reward !== null);
  const last = given.at(-1) ?? 0;
  const reward = Math.min(1, Math.max(0, last / solvedAt));
  const parts = { 'last reward': last, 'sum of rewards': given.reduce((sum, one) => sum + one, 0) };
  return verdictOf({ success: last >= solvedAt, reward, parts }, stopReason);
}

/** The result of `solved` or `judge` of a domain file. */
export function judgedByFile(given: unknown, stopReason: Trace['stopReason']): Verdict {
  const result = readResult(typeof given === 'boolean' ? Number(given) : given);
  return 'result' in result ? verdictOf(result.result, stopReason) : errorVerdict(result.fault);
}
