import { ReasonedError } from '../shared/reasonedError.ts';

/**
 * Why work on an untrusted file has no result. `too-slow`: it did not end in time; `too-large`: it took more memory
 * than it may; `crashed`: the code that reads such files threw an unexpected error. The message is a clause.
 */
export class SandboxError extends ReasonedError<'too-slow' | 'too-large' | 'crashed'> {
  override readonly name = 'SandboxError';
}
