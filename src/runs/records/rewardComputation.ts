/** How a reward became the advantage in training. */
import { groupAdvantages, groupKind } from '../../engine/math/advantage.ts';
import { isPlayTrace } from '../../shared/records/play.ts';
import type { Trace } from '../../shared/records/trace.ts';

/** The group of G attempts that a reward was compared with. */
interface RewardGroup {
  attempts: number;
  mean: number;
  /** Sample form, n − 1; null where advantages are not divided by it. */
  deviation: number | null;
}

export interface RewardComputation {
  reward: number;
  /** By name, as the scorer reported them. */
  parts: Readonly<Record<string, number>>;
  /** Null for attempts that nothing is trained on, and where the checker failed. */
  group: RewardGroup | null;
  /** R − mean of the group, over its deviation where set; null when the group teaches nothing. */
  advantage: number | null;
  /** Why there is no advantage; null where there is one. */
  why: 'not trained on' | 'not judged' | 'alone' | 'solved' | 'hopeless' | null;
}

type Attempt = Pick<Trace, 'id' | 'purpose' | 'verdict'>;

/** A trace’s own group among attempts at its task that count in one epoch: late ones are a group of their own. */
export const groupIn = (attempts: readonly Trace[], { epoch }: Pick<Trace, 'epoch'>): Trace[] =>
  attempts.filter((one) => one.epoch === epoch);

/**
 * @param group the attempts at the same task in the same epoch, this one among them
 * @param norm the run's divisor of advantages in this epoch
 */
export function computeReward(
  trace: Attempt,
  group: readonly Attempt[],
  norm: 'none' | 'group-std',
): RewardComputation {
  const { reward, parts = {}, error } = trace.verdict;
  const without = (why: RewardComputation['why'], compared: RewardGroup | null = null): RewardComputation => ({
    ...{ reward, parts, group: compared, advantage: null, why },
  });
  if (trace.purpose !== 'train' || isPlayTrace(trace.id)) return without('not trained on');
  if (error !== undefined) return without('not judged');
  const judged = group.filter(({ purpose, verdict }) => purpose === 'train' && verdict.error === undefined);
  const rewards = judged.map(({ verdict }) => verdict.reward);
  const mean = rewards.reduce((sum, one) => sum + one, 0) / rewards.length;
  const squares = rewards.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const deviation = norm === 'none' ? null : Math.sqrt(squares / Math.max(1, rewards.length - 1));
  const compared = { attempts: rewards.length, mean, deviation };
  if (judged.length < 2) return without('alone', compared);
  const kind = groupKind(judged.map(({ verdict }) => verdict));
  if (kind !== 'trained') return without(kind, compared);
  const place = judged.findIndex(({ id }) => id === trace.id);
  const advantage = groupAdvantages(rewards, norm)[place] ?? null;
  return { reward, parts, group: compared, advantage, why: null };
}
