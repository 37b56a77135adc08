export interface Completion {
  requestId: string;
  /** 0 … n−1. */
  index: number;
  promptTokens: readonly number[];
  /**
   * Sampled ids, the stop token included when one was sampled. A frozen endpoint that tells no ids leaves both kinds of
   * tokens empty: its text is read, and nothing is trained on it.
   */
  tokens: readonly number[];
  /** Same length as `tokens`, natural log, of temperature 1; empty where a frozen endpoint does not tell them. */
  logprobs: readonly number[];
  /** How many tokens there were, where an endpoint tells no ids and yet how many. */
  counted?: { prompt: number; answer: number };
  text: string;
  /** What the model thought before, where it is told apart. */
  reasoning?: string;
  stopReason: 'stop' | 'length';
}
