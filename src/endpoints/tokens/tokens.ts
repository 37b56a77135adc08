/** A model's own tokens: the one place where text becomes ids. Sampled ids are never made from text again. */
import type { Message } from '../../shared/records/message.ts';
import type { ToolSpec } from '../../shared/records/task.ts';

export interface RenderedChat {
  tokens: number[];
  /** [start, end) of each assistant turn, its end token included. */
  spans: [number, number][];
}

export interface Tokens {
  /** A conversation as the prompt of the next assistant turn; assistant messages with `tokens` keep those ids. */
  prompt(messages: readonly Message[], tools?: readonly ToolSpec[]): number[];
  /** A finished conversation as training tokens: what supervised data is made of. */
  render(messages: readonly Message[], tools?: readonly ToolSpec[]): RenderedChat;
  /** Text of sampled ids, without the tokens that end a turn. */
  decode(ids: readonly number[]): string;
  /** Ids that end an assistant turn. */
  readonly stop: readonly number[];
}
