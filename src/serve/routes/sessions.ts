/** Start-up and sessions (protocol §3). */
import { jsonBody } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { ok } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { Service } from '../state/service.ts';
import { createSessionSchema, heartbeatSchema, telemetrySchema } from '../wire/requests.ts';
import { tokenizerAddress } from './tokenizers.ts';

/** How training behaves, for clients that would have to find it out. */
const asHosted = { reduction: 'sum', adam: 'all', clips: true, models: 'several', losses: 'apart' };

export function sessionRoutes(service: Service): Route[] {
  const { sessions, models, differences } = service;
  /** Sessions have no number: a repeated request is known by its header alone. */
  const begun = new Map<string, string>();
  const begin = (key: string | undefined): string => {
    const known = key === undefined ? undefined : begun.get(key);
    if (known !== undefined && sessions.ids.includes(known)) return known;
    const id = service.newId();
    sessions.begin(id);
    if (key !== undefined) begun.set(key, id);
    return id;
  };
  return [
    {
      ...{ method: 'GET', path: '/api/v1/healthz', dialect: 'tinker', open: true },
      answer: () => ok({ status: 'ok' }),
    },
    {
      ...{ method: 'GET', path: '/api/v1/get_server_capabilities', dialect: 'tinker' },
      answer: (call) =>
        ok({
          supported_models: models.map((base) => ({
            model_name: base.id,
            max_context_length: base.config.context,
            tokenizer_id: tokenizerAddress(call, base),
          })),
          genenv: { deterministic: true, ...(differences.length === 0 && { training: asHosted }) },
        }),
    },
    {
      ...{ method: 'POST', path: '/api/v1/client/config', dialect: 'tinker' },
      answer: () => ok({ pjwt_auth_enabled: false, create_model_via_load_weights: true }),
    },
    {
      ...{ method: 'POST', path: '/api/v1/create_session', dialect: 'tinker' },
      answer: (call) => {
        jsonBody(call, createSessionSchema);
        const session_id = begin(call.headers['x-idempotency-key']);
        const messages = { info_message: null, warning_message: null, error_message: null };
        return ok({ type: 'create_session', session_id, ...messages });
      },
    },
    {
      ...{ method: 'POST', path: '/api/v1/session_heartbeat', dialect: 'tinker' },
      answer: (call) => {
        const id = jsonBody(call, heartbeatSchema).session_id;
        if (differences.includes('remembers-models') && !sessions.ids.includes(id)) sessions.begin(id);
        sessions.find(id);
        return ok({ type: 'session_heartbeat' });
      },
    },
    {
      ...{ method: 'GET', path: '/api/v1/sessions', dialect: 'tinker' },
      answer: () => ok({ sessions: sessions.ids }),
    },
    {
      ...{ method: 'GET', path: '/api/v1/sessions/*', dialect: 'tinker' },
      answer: ({ parameters: [id = ''] }) => {
        if (!sessions.ids.includes(id)) throw new Refusal(404, `There is no session ${id}.`);
        const session = sessions.find(id);
        const training_run_ids = [...session.models.values()].map(({ facts }) => facts.id);
        return ok({ training_run_ids, sampler_ids: [...session.samplings.values()].map((sampling) => sampling.id) });
      },
    },
    {
      // Also where it has ended: a repetition whose first answer was lost must not fail a client that has done its work.
      ...{ method: 'POST', path: '/api/v1/sessions/*/finish', dialect: 'tinker' },
      answer: async ({ parameters: [id = ''] }) => {
        await service.finish(id);
        return { kind: 'empty', status: 204 };
      },
    },
    {
      ...{ method: 'POST', path: '/api/v1/telemetry', dialect: 'tinker' },
      answer: (call) => {
        jsonBody(call, telemetrySchema);
        return ok({ status: 'accepted' });
      },
    },
  ];
}
