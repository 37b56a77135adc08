/**
 * Why no tasks can be made. `nothing`: none is left; `other`: the answers kept beside the file belong to another
 * request; `filter`: the filter needs a measurement that is missing.
 */
export class MakeTasksError extends Error {
  override readonly name = 'MakeTasksError';
  readonly reason: 'nothing' | 'other' | 'filter';
  readonly remedy: string;

  constructor(reason: MakeTasksError['reason'], message: string, remedy: string) {
    super(message);
    this.reason = reason;
    this.remedy = remedy;
  }
}
