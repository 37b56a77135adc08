/** A domain file that cannot continue: a function that every task needs failed. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly reason = 'domain';

  /** @param call the function that failed */
  constructor(file: string, call: string, why: string) {
    super(`“${call}” of ${file} failed: ${why.replace(/[.]$/, '')}. Correct the file, then start a run.`);
  }

  static is(error: unknown): error is DomainError {
    return error instanceof DomainError;
  }
}
