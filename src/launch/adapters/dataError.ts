import { RemediedError } from '../../shared/reasonedError.ts';

/** `outside`: not in the folder of the data. `incomplete`: a file that its scorer reads is missing, or has another form. */
export type DataErrorReason = 'no-folder' | 'outside' | 'unreadable' | 'incomplete';

/** The data that an adapter names cannot be had. Says where its authors offer it. */
export class DataError extends RemediedError<DataErrorReason> {
  override readonly name = 'DataError';
}
