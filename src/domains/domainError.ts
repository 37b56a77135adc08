import * as l10n from '@vscode/l10n';

/** A domain file that cannot continue: a function that every task needs failed. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly reason = 'domain';

  /** @param call the function that failed */
  constructor(file: string, call: string, why: string) {
    super(l10n.t('“{0}” of {1} failed: {2}. Correct the file, then start a run.', call, file, why.replace(/[.]$/, '')));
  }

  static is(error: unknown): error is DomainError {
    return error instanceof DomainError;
  }
}
