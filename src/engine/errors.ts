/** Why the loop stopped without finishing. */
export type LoopReason = 'paused' | 'not-trainable' | 'no-tasks' | 'endpoint' | 'corrupt-run';

/** A stop that a person can act on: `paused` is asked for, the rest say what to change. */
export class LoopError extends Error {
  readonly reason: LoopReason;

  constructor(reason: LoopReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LoopError';
    this.reason = reason;
  }

  static is(error: unknown, reason?: LoopReason): error is LoopError {
    return error instanceof LoopError && (reason === undefined || error.reason === reason);
  }
}
