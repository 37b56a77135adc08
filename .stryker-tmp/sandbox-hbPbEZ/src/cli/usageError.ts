/** A command line that cannot be understood. Says what to write instead. */
export class UsageError extends Error {
  readonly reason = 'usage';
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'UsageError';
    this.remedy = remedy;
  }
}
