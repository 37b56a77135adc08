/** Texts that end a completion, where the endpoint knows ids alone: what was sampled is cut behind the first of them. */
import { smallest } from '../../shared/extremes.ts';
import { apart, type Thought } from '../../shared/text/thoughts.ts';

interface Sampled {
  tokens: readonly number[];
  logprobs: readonly number[];
  stopReason: 'stop' | 'length';
}

/**
 * A completion up to the token that completes a stop text, and its text before that, thoughts kept apart. Tokens do not depend on what is
 * sampled after them, so this is what stopping at once would have given.
 * @param opened whether the prompt opened a thought
 */
export function endedByText<T extends Sampled>(
  sampled: T,
  decode: (ids: readonly number[]) => string,
  stop: readonly string[] = [],
  opened = false,
): T & Thought {
  const text = decode(sampled.tokens);
  const holds = (given: string): boolean => stop.some((end) => given.includes(end));
  if (!holds(text)) return { ...sampled, ...apart(text, null, opened) };
  // A prefix that contains a text still contains it, however much follows.
  let [without, length] = [0, sampled.tokens.length];
  while (length - without > 1) {
    const middle = (without + length) >> 1;
    if (holds(decode(sampled.tokens.slice(0, middle)))) length = middle;
    else without = middle;
  }
  const tokens = sampled.tokens.slice(0, length);
  const logprobs = sampled.logprobs.slice(0, length);
  return { ...sampled, tokens, logprobs, stopReason: 'stop', ...apart(endedText(decode(tokens), stop), null, opened) };
}

/** A text before the first of the texts that end it. */
export function endedText(text: string, stop: readonly string[] = []): string {
  const ends = stop.map((end) => text.indexOf(end)).filter((at) => at !== -1);
  return ends.length === 0 ? text : text.slice(0, smallest(ends));
}
