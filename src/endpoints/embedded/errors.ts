/** An error of the embedded endpoint; `message` says what failed, why and what to do. */
import { codeOf } from '../../shared/systemError.ts';

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

export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly reason: EmbeddedErrorReason;
  /** The system's, of what caused it; '' without one. */
  readonly code: string;

  constructor(
    reason: EmbeddedErrorReason,
    message: string,
    { code, ...options }: ErrorOptions & { code?: string } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.code = code ?? codeOf(options.cause);
  }
}
