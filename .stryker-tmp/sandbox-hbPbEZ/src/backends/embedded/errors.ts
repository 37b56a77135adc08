/** What went wrong in the embedded endpoint; `message` says what, why and what to do. */
export const embeddedErrorReasons = [
  'weights',
  'kernels',
  'vocabulary',
  'request',
  'version',
  'diverged',
  'checkpoint',
  'worker',
] as const;
export type EmbeddedErrorReason = (typeof embeddedErrorReasons)[number];

export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly reason: EmbeddedErrorReason;

  constructor(reason: EmbeddedErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
