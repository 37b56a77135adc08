import { RemediedError } from '../../../shared/reasonedError.ts';

/**
 * Why saves are not deleted. `none`: the run has no policy on a Tinker server; `unfinished`: the run may continue from them;
 * `needed`: another run needs one; `unread`: whether another run does is not known; `unknown`: no save of the run is called so.
 */
export type SavesErrorReason = 'none' | 'unfinished' | 'needed' | 'unread' | 'unknown';

export class SavesError extends RemediedError<SavesErrorReason> {
  override readonly name = 'SavesError';
}
