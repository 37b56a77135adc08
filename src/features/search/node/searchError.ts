import { ReasonedError } from '../../../shared/reasonedError.ts';

/** Why a search did not come to its end. `run`: a file of the run could not be read; `worker`: its thread ended. */
export class SearchError extends ReasonedError<'run' | 'worker'> {
  override readonly name = 'SearchError';
}
