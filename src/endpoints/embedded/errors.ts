/** An error of the embedded endpoint; `message` says what failed, why and what to do. */
import { codeOf } from '../../shared/systemError.ts';
import { ReasonedError } from '../../shared/reasonedError.ts';

export const embeddedErrorReasons = [
  'weights',
  'kernels',
  'vocabulary',
  'request',
  'version',
  'diverged',
  'checkpoint',
  'worker',
] as const;
export type EmbeddedErrorReason = (typeof embeddedErrorReasons)[number];

export class EmbeddedError extends ReasonedError<EmbeddedErrorReason> {
  override readonly name = 'EmbeddedError';
  /** The system's, of what caused it; '' without one. */
  readonly code: string;

  constructor(
    reason: EmbeddedErrorReason,
    message: string,
    { code, ...options }: ErrorOptions & { code?: string } = {},
  ) {
    super(reason, message, options);
    this.code = code ?? codeOf(options.cause);
  }
}
