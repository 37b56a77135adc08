/** Why a search did not come to its end. `run`: a file of the run could not be read; `worker`: its thread ended. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly reason: 'run' | 'worker';

  constructor(reason: SearchError['reason'], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }

  static is(error: unknown, reason?: SearchError['reason']): error is SearchError {
    return error instanceof SearchError && (reason === undefined || error.reason === reason);
  }
}
