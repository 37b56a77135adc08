/** Helpers of routes that answer with a promise. */
import type { Call } from '../http/call.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Future } from '../state/futures.ts';

/** Keys under which a request is known again: its own, and the header's. */
export function keysOf({ path, headers }: Call, own: string | null): string[] {
  const header = headers['x-idempotency-key'];
  return [...(own === null ? [] : [own]), ...(header === undefined ? [] : [`${path} with key ${header}`])];
}

export function promiseOf({ id, samples, extras }: Future): Reply {
  const ids = Array.from({ length: samples }, (_, i) => `${id}-${i}`);
  return ok({ request_id: id, ...(samples > 0 && { sample_sequence_ids: ids }), ...extras });
}
