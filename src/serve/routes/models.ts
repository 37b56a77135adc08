/** Models and their life (protocol §4). */
import { jsonBody, type Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { ok } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { BaseModel } from '../models/baseModel.ts';
import { TrainingModel } from '../models/trainingModel.ts';
import type { LoraShape } from '../state/archive.ts';
import { jsonOnly } from '../state/futures.ts';
import type { Service } from '../state/service.ts';
import type { Session } from '../state/sessions.ts';
import { createModelSchema, modelIdSchema, type CreateModel } from '../wire/requests.ts';
import { keysOf, promiseOf } from './promises.ts';

/** The adapter shape of a client that gives none: the rank that the protocol's own client requests. */
const defaultLora: LoraShape = { rank: 32, trainUnembed: true, trainMlp: true, trainAttn: true };

/** The shape is stored and returned; a model this small is always trained in full. */
const loraOf = (config: CreateModel['lora_config']): LoraShape =>
  config === null || config === undefined
    ? defaultLora
    : {
        rank: config.rank,
        trainUnembed: config.train_unembed,
        trainMlp: config.train_mlp,
        trainAttn: config.train_attn,
      };

/** Key of a request that makes a model: its number within the session. */
export const modelKey = (sessionId: string, number: number): string => `model ${number} of session ${sessionId}`;

/** A new model in a session, known to the archive. @throws Refusal 400 where there is room for one only */
export function beginModel(
  service: Service,
  session: Session,
  number: number,
  base: BaseModel,
  facts: Pick<TrainingModel['facts'], 'lora' | 'userMetadata'>,
): TrainingModel {
  const { sessions, differences } = service;
  const [other] = sessions.models;
  if (differences.includes('one-model') && other !== undefined) {
    throw new Refusal(400, `One model at a time: ${other.facts.id} is there. Unload it first.`);
  }
  const id = `${session.id}:train:${number}`;
  const now = new Date(service.now()).toISOString();
  const model = new TrainingModel(base, { id, sessionId: session.id, ...facts }, now, differences);
  service.sessions.addModel(session, number, model);
  const { lora, userMetadata } = facts;
  service.archive.begin(id, { baseModel: base.id, lora, userMetadata: userMetadata && { ...userMetadata } });
  return model;
}

export function modelRoutes(service: Service): Route[] {
  const { sessions, futures } = service;
  const create = (call: Call) => {
    const body = jsonBody(call, createModelSchema);
    const session = sessions.find(body.session_id);
    const base = service.base(body.base_model);
    return promiseOf(
      futures.submit(keysOf(call, modelKey(session.id, body.model_seq_id)), body, () => {
        const facts = { lora: loraOf(body.lora_config), userMetadata: body.user_metadata ?? null };
        const { id: model_id } = beginModel(service, session, body.model_seq_id, base, facts).facts;
        const result = { type: 'create_model', model_id };
        return { run: () => Promise.resolve(jsonOnly(result)), extras: { model_id } };
      }),
    );
  };
  return [
    { method: 'POST', path: '/api/v1/create_model', dialect: 'tinker', answer: create },
    {
      ...{ method: 'POST', path: '/api/v1/get_info', dialect: 'tinker' },
      answer: (call) => {
        const id = jsonBody(call, modelIdSchema).model_id;
        if (service.differences.includes('remembers-models') && sessions.loaded(id) === null) {
          return ok({ type: 'get_info', model_id: id, model_name: service.archive.run(id).baseModel });
        }
        const { base, facts } = sessions.model(id);
        return ok({
          ...{ type: 'get_info', model_id: facts.id, model_name: base.id },
          ...{ is_lora: true, lora_rank: facts.lora.rank },
          // A name, not an address: the SDK gives it to a tokenizer library, which looks it up on its hub (hub.ts).
          model_data: { arch: 'genenv', model_name: base.id, tokenizer_id: base.id },
        });
      },
    },
    {
      ...{ method: 'POST', path: '/api/v1/unload_model', dialect: 'tinker' },
      answer: (call) => {
        const body = jsonBody(call, modelIdSchema);
        return promiseOf(
          futures.submit(keysOf(call, `unload of ${body.model_id}`), body, () => {
            const model = sessions.model(body.model_id);
            const run = async () => {
              // Earlier requests are still executed.
              await model.sequencer.run(null, () => sessions.unload(model));
              return jsonOnly({ type: 'unload_model', model_id: body.model_id });
            };
            return { run };
          }),
        );
      },
    },
  ];
}
