/** Which failures are one request's own, so that the others may go on without it. */
import type { FailedCompletion, SampleRequest } from '../engine/ports.ts';
import { EndpointError } from './endpointError.ts';

/** Every completion that was wanted, as failed. @throws the error when it is one that all requests share */
export function failedCompletions(
  { id, n, only }: Pick<SampleRequest, 'id' | 'n' | 'only'>,
  error: unknown,
): FailedCompletion[] {
  if (!(error instanceof EndpointError) || !['refused', 'malformed', 'failed'].includes(error.reason)) throw error;
  const wanted = only ?? Array.from({ length: n }, (_, i) => i);
  return wanted.map((index) => ({ requestId: id, index, failure: error.message }));
}
