/** An invalid command line, with the correct form. */
export class UsageError extends Error {
  readonly reason = 'usage';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'UsageError';
    this.remedy = remedy;
  }
}
