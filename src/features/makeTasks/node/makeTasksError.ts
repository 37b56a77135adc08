/**
 * Why no tasks can be made. `nothing`: none is left; `other`: the answers kept beside the file are to another request;
 * `filter`: nothing measures what the filter asks for.
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
