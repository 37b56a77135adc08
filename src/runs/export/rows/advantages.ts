/** Advantages of recorded attempts, as the agent's update computes them. */
import { groupAdvantages } from '../../../engine/math/advantage.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Judged attempts in training: all that the mean of a group is taken over, the invalid ones included. */
const counts = ({ purpose, verdict }: Trace): boolean => purpose === 'train' && verdict.error === undefined;

const groupOf = ({ epoch, task }: Trace): string => `${epoch} ${task}`;

/** The divisor of advantages in the update that learned from an attempt. */
type Norm = (trace: Trace) => 'none' | 'group-std';

export class Advantages {
  readonly #norm: Norm;
  readonly #rewards = new Map<string, number[]>();

  private constructor(norm: Norm) {
    this.#norm = norm;
  }

  /** Reads all traces once: a group's attempts may lie anywhere in their epoch. Keeps only their rewards. */
  static async read(traces: AsyncIterable<Trace>, norm: Norm): Promise<Advantages> {
    const advantages = new Advantages(norm);
    for await (const trace of traces) {
      if (!counts(trace)) continue;
      const key = groupOf(trace);
      const rewards = advantages.#rewards.get(key);
      if (rewards === undefined) advantages.#rewards.set(key, [trace.verdict.reward]);
      else rewards.push(trace.verdict.reward);
    }
    return advantages;
  }

  /** Or why there is none. */
  of(trace: Trace): number | 'alone' | 'constant' {
    const rewards = this.#rewards.get(groupOf(trace)) ?? [];
    const { reward } = trace.verdict;
    if (rewards.length < 2) return 'alone';
    if (rewards.every((other) => other === rewards[0])) return 'constant';
    return groupAdvantages(rewards, this.#norm(trace))[rewards.indexOf(reward)] ?? outOfRange();
  }
}
