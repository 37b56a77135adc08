import type { SampleRequest } from './ports.ts';

/**
 * Most tokens that may be sampled after a prompt of `prompt` tokens: at least one, since endpoints refuse to sample none;
 * a sequence that is past `maxSequence` with it is not learned from.
 * @param longest tokens that the endpoint gives prompt and completion together
 */
export function newTokens(
  { maxTokens, maxSequence }: Pick<SampleRequest, 'maxTokens' | 'maxSequence'>,
  prompt: number,
  longest = Infinity,
): number {
  return Math.min(maxTokens, Math.max(1, Math.min(maxSequence ?? Infinity, longest) - prompt));
}
