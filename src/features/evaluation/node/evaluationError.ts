import { RemediedError } from '../../../shared/reasonedError.ts';

/**
 * Why an evaluation cannot be made, carried on or compared. `policy`: nothing answers by that name; `answers`: a file of
 * answers cannot be used; `no-tasks`; `other`: the folder holds another evaluation; `not-found`: it holds none;
 * `not-comparable`: two evaluations share no task, or are of different benchmarks; `judge`: no model can judge here.
 */
export type EvaluationErrorReason =
  | 'policy'
  | 'answers'
  | 'no-tasks'
  | 'other'
  | 'not-found'
  | 'not-comparable'
  | 'judge';

export class EvaluationError extends RemediedError<EvaluationErrorReason> {
  override readonly name = 'EvaluationError';
}
