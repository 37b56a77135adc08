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

/**
 * Why a run is ended from outside: a pause to carry on from, a stop after which nobody offers to carry on, or an
 * interruption that nobody wanted (a window is closed), after which it is offered.
 */
export class EndAsked extends Error {
  readonly how: 'paused' | 'stopped' | 'interrupted';

  constructor(how: EndAsked['how'], reason: string) {
    super(reason);
    this.name = 'EndAsked';
    this.how = how;
  }
}

/** An episode that died: its attempt counts as not answered, and the others go on. */
export class EpisodeError extends Error {
  override readonly name = 'EpisodeError';
  readonly reason = 'episode';

  static is(error: unknown): error is EpisodeError {
    return error instanceof EpisodeError;
  }
}
