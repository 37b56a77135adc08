/**
 * Why a template gives no text. `syntax`: it is invalid; `too-slow`, `too-large`: it takes more work, or makes more
 * text, than one prompt can need; `values`: it fails on the given values. The message is a clause.
 */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly reason: 'syntax' | 'too-slow' | 'too-large' | 'values';

  constructor(reason: TemplateError['reason'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
