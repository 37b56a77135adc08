/** `held`: another runner works on the folder; `not-started`: it ended before it was ready; `no-pipe`: keys cannot reach it. */
export class RunnerError extends Error {
  override readonly name = 'RunnerError';
  readonly reason: 'held' | 'not-started' | 'no-pipe';
  readonly remedy: string;

  constructor(reason: RunnerError['reason'], message: string, remedy: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }

  static is(error: unknown, reason?: RunnerError['reason']): error is RunnerError {
    return error instanceof RunnerError && (reason === undefined || error.reason === reason);
  }
}
