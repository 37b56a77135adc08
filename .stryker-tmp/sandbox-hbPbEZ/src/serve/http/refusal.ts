/** A request that is not done, as a status and a sentence. Thrown anywhere below a route; written in its dialect. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Field by field, where the body did not fit its schema. */
  readonly fields: readonly FieldFault[] | null;

  constructor(
    status: number,
    detail: string,
    { headers = {}, fields = null }: { headers?: Record<string, string>; fields?: readonly FieldFault[] | null } = {},
  ) {
    super(detail);
    this.status = status;
    this.headers = headers;
    this.fields = fields;
  }
}

/** One entry of FastAPI's 422. */
export interface FieldFault {
  loc: readonly (string | number)[];
  msg: string;
  type: string;
}
