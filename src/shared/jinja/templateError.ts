/**
 * Why a template gives no text. `syntax`: it is none; `too-slow`, `too-large`: it asks for more work, or makes more text,
 * than one prompt can need; `values`: it cannot be carried out with what it was given. The message is a clause.
 */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly reason: 'syntax' | 'too-slow' | 'too-large' | 'values';

  constructor(reason: TemplateError['reason'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
