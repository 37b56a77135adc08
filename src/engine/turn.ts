import type { Message } from '../shared/records/message.ts';
import type { TokenCounts } from '../shared/records/tokenCounts.ts';
import { defined } from '../shared/defined.ts';
import type { Completion } from './completion.ts';

/** A completion as a turn of its conversation. Without ids its text speaks for it. */
export function turnOf({ text, tokens, reasoning }: Completion): Message {
  return {
    ...{ role: 'assistant', content: text },
    ...(tokens.length > 0 && { tokens: [...tokens] }),
    ...defined({ reasoning }),
  };
}

/** A completion's tokens: by their ids, or by the server's own count. */
export const countOf = ({
  counted,
  promptTokens,
  tokens,
}: Pick<Completion, 'promptTokens' | 'tokens'> & { counted?: TokenCounts | undefined }): TokenCounts =>
  counted ?? { prompt: promptTokens.length, answer: tokens.length };

/** Tokens by the server's own count, with those of one more turn. */
export function countedWith(
  before: TokenCounts | undefined,
  { counted }: Pick<Completion, 'counted'>,
): TokenCounts | undefined {
  if (counted === undefined) return before;
  return { prompt: (before?.prompt ?? 0) + counted.prompt, answer: (before?.answer ?? 0) + counted.answer };
}
