import { RemediedError } from '../../../shared/reasonedError.ts';

/**
 * Why an attempt of a person is not put into the agent pool, or out of it. `unknown`: there is none with this id;
 * `invalid`: the checker did not run on it; `held-out`, `excluded`, `edited`: its task; `outside`: it is not in the pool.
 */
export class PoolError extends RemediedError<'unknown' | 'invalid' | 'held-out' | 'excluded' | 'edited' | 'outside'> {
  override readonly name = 'PoolError';
}
