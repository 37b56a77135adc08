/** `outside`: not in the folder of the data. `incomplete`: a file that its scorer reads is missing, or has another form. */
export type DataErrorReason = 'no-folder' | 'outside' | 'unreadable' | 'incomplete';

/** The data that an adapter names cannot be had. Says where its authors offer it. */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly reason: DataErrorReason;
  readonly remedy: string;

  constructor(reason: DataErrorReason, message: string, remedy: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }
}
