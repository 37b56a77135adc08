import { ReasonedError } from '../../../shared/reasonedError.ts';

/** Why a report could not be made. */
export type ReportErrorReason =
  /** The browser code is not built. */
  | 'not-built'
  /** The built code cannot stand inside a page. */
  | 'bundle'
  /** Larger than a report may be, however little of it is drawn. */
  | 'too-large'
  /** It would take the place of a file that it is made of. */
  | 'own-file';

export class ReportError extends ReasonedError<ReportErrorReason> {
  override readonly name = 'ReportError';
}
