/** The doctor's subject: one opened policy, and a conversation of the kind that a run will have with it. */
import type { Policy, PolicyVersion } from '../../../../engine/ports.ts';
import type { Message } from '../../../../shared/records/message.ts';
import type { Completion } from '../../../../engine/completion.ts';
import { significant } from '../../../../shared/text/figures/numbers.ts';

export interface Subject {
  policy: Policy;
  /** The same endpoint opened once more, as if by another program. */
  reopen(): Promise<Policy>;
  /** A prompt that the model can read. */
  prompt: readonly Message[];
  /** A prompt with its answer, to train on. */
  example: readonly Message[];
  signal: AbortSignal;
}

export interface Sampled {
  completions: Completion[];
  failures: string[];
}

/** `n` completions of the subject's prompt. */
export async function sampleOf(
  { policy, prompt, signal }: Subject,
  version: PolicyVersion,
  { n, seed, maxTokens, requests = 1 }: { n: number; seed: number; maxTokens: number; requests?: number },
): Promise<Sampled> {
  const asked = Array.from({ length: requests }, (_, i) => ({
    ...{ id: `doctor-${seed}-${i}`, messages: prompt, n, seed: seed + i, maxTokens, temperature: 1 },
  }));
  const sampled: Sampled = { completions: [], failures: [] };
  for await (const one of policy.sample(version, asked, signal)) {
    if ('failure' in one) sampled.failures.push(one.failure);
    else sampled.completions.push(one);
  }
  return sampled;
}

/** Largest distance of two rows of logprobs from an index on. */
export function distance(a: readonly number[], b: readonly number[], from = 0): number {
  let most = 0;
  for (let i = from; i < Math.max(a.length, b.length); i++)
    most = Math.max(most, Math.abs((a[i] ?? NaN) - (b[i] ?? NaN)));
  return most;
}

/** Three figures. */
export const figure = (value: number): string => (Number.isFinite(value) ? significant(value, 3) : 'no number');
