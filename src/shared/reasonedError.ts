/** An error whose reason programs branch on. Each kind has its own class, whose `name` survives the bundling. */
export class ReasonedError<Reason extends string> extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  static is<E extends ReasonedError<string>>(
    this: abstract new (...given: never[]) => E,
    error: unknown,
    reason?: E['reason'],
  ): error is E {
    return error instanceof this && (reason === undefined || error.reason === reason);
  }
}

/** The same with what a person can do about it, in a full sentence. */
export class RemediedError<Reason extends string> extends ReasonedError<Reason> {
  readonly remedy: string;

  constructor(reason: Reason, message: string, remedy: string, options?: ErrorOptions) {
    super(reason, message, options);
    this.remedy = remedy;
  }
}
