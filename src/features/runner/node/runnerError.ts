import { RemediedError } from '../../../shared/reasonedError.ts';

/** `held`: another runner works on the folder; `not-started`: it ended before it was ready; `no-pipe`: keys cannot reach it. */
export class RunnerError extends RemediedError<'held' | 'not-started' | 'no-pipe'> {
  override readonly name = 'RunnerError';
}
