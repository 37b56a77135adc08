/** The port to a model that turns texts into vectors; src/endpoints/openai/embeddings implements it. */

export interface Embedder {
  /** The model's name, for people. */
  readonly model: string;
  /**
   * One vector of length 1 for each text, in their order, all of as many numbers. @throws an error whose message is a
   * sentence for people; the signal's reason
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
