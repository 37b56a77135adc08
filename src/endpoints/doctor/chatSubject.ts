import type { ServerFacts } from '../openai/probe.ts';
import type { Connection } from '../openai/connection.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Message } from '../../shared/records/message.ts';

export interface ChatSubject {
  facts: ServerFacts;
  connection: Connection;
  /** The model's own, where a tokenizer is named. */
  tokens: Tokens | null;
  /** What a run says to it, and that with an answer: some models read nothing else. */
  prompt: readonly Message[];
  example: readonly Message[];
  signal: AbortSignal;
}
