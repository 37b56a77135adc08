/** How a reward became the advantage in training. */
import { groupAdvantages, groupKind } from '../../engine/math/advantage.ts';
import { isPlayTrace } from '../../shared/records/play.ts';
import { sideOfTrace } from '../../shared/records/reattempt.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { Learning } from '../journal/agentLearning.ts';

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
  /** Null for attempts that no update compared, and where the checker failed. */
  group: RewardGroup | null;
  /** R − mean of the group, over its deviation where set; null where no update learned from the attempt. */
  advantage: number | null;
  /** Why there is no advantage; null where there is one. */
  why:
    | Learning['why']
    /** It was made to measure, or by people. */
    | 'not trained on'
    | 'not judged'
    | 'alone'
    | 'solved'
    | 'hopeless'
    /** All of its sequences are longer than `rollouts.maxSequence`. */
    | 'too long';
}

type Attempt = Pick<Trace, 'id' | 'purpose' | 'verdict'> & { sequences: readonly { tokens: readonly number[] }[] };

/** A trace’s own group among attempts at its task that count in one epoch: late ones are a group of their own. */
export const groupIn = (attempts: readonly Trace[], { epoch }: Pick<Trace, 'epoch'>): Trace[] =>
  attempts.filter((one) => one.epoch === epoch);

/**
 * @param group the attempts at the same task in the same epoch, this one among them
 * @param learning how the update in which the attempt counts treats it; null where nothing is ever trained on
 */
export function computeReward(trace: Attempt, group: readonly Attempt[], learning: Learning | null): RewardComputation {
  const { reward, parts = {}, error } = trace.verdict;
  const without = (why: RewardComputation['why'], compared: RewardGroup | null = null): RewardComputation => ({
    ...{ reward, parts, group: compared, advantage: null, why },
  });
  if (learning === null || !isTrainedOn(trace)) return without('not trained on');
  const { why } = learning;
  // A failed check says more about an attempt than what became of its group.
  if (why === 'imported' || why === 'frozen') return without(why);
  if (error !== undefined) return without('not judged');
  if (why === 'fell out' || why === 'not updated') return without(why);
  const { agent, rollouts } = learning.experiment;
  const norm = agent.advantageNorm;
  const judged = group.filter(({ purpose, verdict }) => purpose === 'train' && verdict.error === undefined);
  const rewards = judged.map(({ verdict }) => verdict.reward);
  const mean = rewards.reduce((sum, one) => sum + one, 0) / rewards.length;
  const squares = rewards.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const deviation = norm === 'none' ? null : Math.sqrt(squares / Math.max(1, rewards.length - 1));
  const compared = { attempts: rewards.length, mean, deviation };
  if (judged.length < 2) return without('alone', compared);
  const kind = groupKind(judged.map(({ verdict }) => verdict));
  if (kind !== 'trained') return without(kind, compared);
  const longest = rollouts.maxSequence ?? Infinity;
  const { sequences } = trace;
  if (sequences.length > 0 && sequences.every(({ tokens }) => tokens.length > longest))
    return without('too long', compared);
  if (why === 'skipped') return without(why, compared);
  const place = judged.findIndex(({ id }) => id === trace.id);
  const advantage = groupAdvantages(rewards, norm)[place] ?? null;
  return { reward, parts, group: compared, advantage, why: null };
}

/** Whether it is one of the run's own attempts to train on: people's and re-attempts have their purpose, too. */
const isTrainedOn = ({ id, purpose }: Attempt): boolean =>
  purpose === 'train' && !isPlayTrace(id) && sideOfTrace(id) === null;
