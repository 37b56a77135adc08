/**
 * Why work on an untrusted file has no result. `too-slow`: it did not end in time; `too-large`: it took more memory
 * than it may; `crashed`: the code that reads such files threw an unexpected error. The message is a clause.
 */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly reason: 'too-slow' | 'too-large' | 'crashed';

  constructor(reason: SandboxError['reason'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }

  static is(error: unknown): error is SandboxError {
    return error instanceof SandboxError;
  }
}
