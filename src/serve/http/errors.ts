/** Errors in the words and form of the request's dialect. */
import { Refusal } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { Route } from './router.ts';

export function errorReply(error: unknown, dialect: Route['dialect']): Reply {
  const refusal = error instanceof Refusal ? error : new Refusal(500, `Internal error: ${String(error)}`);
  const { status, message, headers, fields } = refusal;
  if (dialect === 'tinker') return { kind: 'json', status, value: { detail: fields ?? message }, headers };
  const type = status === 401 ? 'authentication_error' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return { kind: 'json', status, value: { error: { message, type, param: null, code: codeOf(refusal) } }, headers };
}

function codeOf({ status, message }: Refusal): string | null {
  if (status === 404) return 'model_not_found';
  if (status === 401) return 'invalid_api_key';
  if (status === 429) return 'rate_limit_exceeded';
  return message.includes('maximum context length') ? 'context_length_exceeded' : null;
}
