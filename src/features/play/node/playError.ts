import { RemediedError } from '../../../shared/reasonedError.ts';

/** Why an attempt of a person cannot be continued. `tools`: those of the task failed; what was sent is kept. */
export class PlayError extends RemediedError<'unknown' | 'ended' | 'tools'> {
  override readonly name = 'PlayError';
}
