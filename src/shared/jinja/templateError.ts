import { ReasonedError } from '../reasonedError.ts';

/**
 * Why a template gives no text. `syntax`: it is invalid; `too-slow`, `too-large`: it takes more work, or makes more
 * text, than one prompt can need; `values`: it fails on the given values. The message is a clause.
 */
export class TemplateError extends ReasonedError<'syntax' | 'too-slow' | 'too-large' | 'values'> {
  override readonly name = 'TemplateError';
}
