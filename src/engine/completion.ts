import type { TokenCounts } from '../shared/records/tokenCounts.ts';

export interface Completion {
  requestId: string;
  /** 0 … n−1. */
  index: number;
  promptTokens: readonly number[];
  /**
   * Sampled ids, with the stop token when one was sampled. A frozen endpoint without ids leaves both kinds of tokens
   * empty: its text is read, and nothing is trained on it.
   */
  tokens: readonly number[];
  /** Same length as `tokens`, natural log, at temperature 1; empty where a frozen endpoint does not return them. */
  logprobs: readonly number[];
  /** Counts of tokens from an endpoint that returns no ids. */
  counted?: TokenCounts;
  text: string;
  /** The model's reasoning before its answer, where the endpoint separates it. */
  reasoning?: string;
  stopReason: 'stop' | 'length';
}
