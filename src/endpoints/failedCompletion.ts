/** Which failures belong to one request, so that the others may continue without it. */
import type { FailedCompletion, SampleRequest } from '../engine/ports.ts';
import { EndpointError } from './endpointError.ts';
import { TokensError } from './tokens/tokensError.ts';

/** Every completion that was wanted, as failed. @throws the error when it is one that all requests share */
export function failedCompletions(
  { id, n, only }: Pick<SampleRequest, 'id' | 'n' | 'only'>,
  error: unknown,
): FailedCompletion[] {
  const failure = ownFailure(error);
  const wanted = only ?? Array.from({ length: n }, (_, i) => i);
  return wanted.map((index) => ({ requestId: id, index, failure }));
}

/** @throws the error */
function ownFailure(error: unknown): string {
  // A conversation that a template has no form for, a text that a tokenizer has no token for.
  if (TokensError.is(error, 'template') || TokensError.is(error, 'text')) return `${error.message} ${error.remedy}`;
  if (!EndpointError.is(error) || !['refused', 'malformed', 'failed'].includes(error.reason)) throw error;
  return error.message;
}
