import { RemediedError } from '../../../shared/reasonedError.ts';

/**
 * Why no tasks can be made. `nothing`: none is left; `other`: the answers kept beside the file belong to another
 * request; `filter`: the filter needs a measurement that is missing.
 */
export class MakeTasksError extends RemediedError<'nothing' | 'other' | 'filter'> {
  override readonly name = 'MakeTasksError';
}
