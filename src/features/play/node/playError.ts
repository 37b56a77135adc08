import { RemediedError } from '../../../shared/reasonedError.ts';

/** Why an attempt of a person cannot be continued. `elsewhere`: another
 * process continued it; `tools`: those of the task failed, and what was sent is kept. */
export class PlayError extends RemediedError<'unknown' | 'ended' | 'elsewhere' | 'tools'> {
  override readonly name = 'PlayError';
}
