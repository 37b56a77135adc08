import type { ServerFacts } from '../../../../endpoints/openai/probe.ts';
import type { Connection } from '../../../../endpoints/openai/connection.ts';
import type { Tokens } from '../../../../endpoints/tokens/tokens.ts';
import type { Message } from '../../../../shared/records/message.ts';

export interface ChatSubject {
  facts: ServerFacts;
  connection: Connection;
  /** The model's own, where a tokenizer is named. */
  tokens: Tokens | null;
  /** The conversation as a run sends it, and the same with an answer: some models read nothing else. */
  prompt: readonly Message[];
  example: readonly Message[];
  signal: AbortSignal;
}
