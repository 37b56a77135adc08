import { RemediedError } from '../../shared/reasonedError.ts';

/**
 * Why a task cannot be attempted again. `no-agent`: the run has not begun, or was imported; `unverified`: the edited task
 * does not verify in its domain; `not-kept`: the weights of that version are gone; `not-forkable`: the attempts cannot begin
 * at that turn.
 */
export type ReattemptErrorReason = 'no-agent' | 'unverified' | 'not-kept' | 'not-forkable';

export class ReattemptError extends RemediedError<ReattemptErrorReason> {
  override readonly name = 'ReattemptError';
}
