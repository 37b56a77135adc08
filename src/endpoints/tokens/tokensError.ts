/**
 * Why text does not become tokens. `missing`: a file is not there; `format`: it is none a tokenizer is made from;
 * `template`: the chat template cannot render a conversation; `text`: a text has no tokens; `limit`: it takes
 * more time or memory than one may.
 */
export class TokensError extends Error {
  override readonly name = 'TokensError';
  readonly reason: 'missing' | 'format' | 'template' | 'text' | 'limit';
  readonly remedy: string;

  constructor(reason: TokensError['reason'], message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
    this.remedy = options.remedy ?? 'Name another tokenizer in the endpoint’s "tokenizer".';
  }

  static is(error: unknown, reason?: TokensError['reason']): error is TokensError {
    return error instanceof TokensError && (reason === undefined || error.reason === reason);
  }
}
