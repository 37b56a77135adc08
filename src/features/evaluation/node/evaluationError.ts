/**
 * Why an evaluation cannot be made, carried on or compared. `policy`: nothing answers by that name; `answers`: a file of
 * answers cannot be used; `no-tasks`; `other`: the folder holds another evaluation; `not-found`: it holds none;
 * `not-comparable`: two evaluations share no task, or are of different benchmarks; `judge`: no model can judge here.
 */
export type EvaluationErrorReason =
  'policy' | 'answers' | 'no-tasks' | 'other' | 'not-found' | 'not-comparable' | 'judge';

export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  readonly reason: EvaluationErrorReason;
  readonly remedy: string;

  constructor(reason: EvaluationErrorReason, message: string, remedy: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }
}
