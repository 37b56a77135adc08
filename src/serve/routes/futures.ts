/** The long poll (protocol §10). */
import { jsonBody, type Call } from '../http/call.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { Future, Result } from '../state/futures.ts';
import type { Service } from '../state/service.ts';
import { retrieveFutureSchema } from '../wire/requests.ts';

/** Size of a result in bytes above which a client may ask for its metadata first. */
const inlineLimit = 1024 * 1024;

export function futureRoutes(service: Service): Route[] {
  return [
    {
      ...{ method: 'POST', path: '/api/v1/retrieve_future', dialect: 'tinker' },
      answer: async (call) => {
        const { request_id, allow_metadata_only } = jsonBody(call, retrieveFutureSchema);
        const future = service.futures.find(request_id);
        await orTimeout(future.settled, service.pollMilliseconds, call.signal);
        const state = future.state();
        if (state.kind === 'pending') return notYet(future);
        if (state.kind === 'failed') return ok({ error: state.error, category: state.category });
        const reply = resultReply(state.result, call);
        const size = reply.kind === 'bytes' ? reply.bytes.length : 0;
        return allow_metadata_only === true && size > inlineLimit
          ? ok({ status: 'complete_metadata', response_payload_size: size })
          : reply;
      },
    },
  ];
}

/** A request that waits for an earlier number says so; a pending one ends the poll with an HTTP status. */
function notYet({ id, blocked }: Future): Reply {
  const reason = blocked();
  const body = { type: 'try_again', request_id: id, queue_state_reason: reason };
  if (reason !== null) return ok({ ...body, queue_state: 'paused_capacity' });
  return { kind: 'json', status: 408, value: { ...body, queue_state: 'active', detail: 'Not done yet. Ask again.' } };
}

/** Protobuf only for clients that accept it, and only for results with such a form. */
function resultReply({ json, protobuf }: Result, { headers }: Call): Reply {
  if (protobuf !== null && /application\/(x-)?protobuf/.test(headers['accept'] ?? '')) {
    return { kind: 'bytes', status: 200, type: 'application/x-protobuf', bytes: protobuf() };
  }
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return { kind: 'bytes', status: 200, type: 'application/json', bytes };
}

async function orTimeout(settled: Promise<void>, milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([settled, over]);
  clearTimeout(timer);
}
