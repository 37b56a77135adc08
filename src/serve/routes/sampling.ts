/** Sampling sessions and `asample` (protocol §8, §9). */
import { encodeSampleResult, sampleRequestSchema, sampleResultJson } from '../../endpoints/tinker/wire/sampling.ts';
import { tokensOf } from '../../endpoints/tinker/wire/training.ts';
import { jsonBody, type Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { ok, type Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import { sampleWithStops } from '../models/stops.ts';
import { parsedPath, type Service } from '../state/service.ts';
import type { SamplingSession, Session } from '../state/sessions.ts';
import { createSamplingSessionSchema } from '../wire/requests.ts';
import { keysOf, promiseOf } from './promises.ts';

type Weights = Pick<SamplingSession, 'base' | 'weights' | 'path'>;

/** @throws Refusal 409 when the number belongs to other weights */
export function openSampling(
  { sessions }: Service,
  session: Session,
  number: number,
  weights: Weights,
  id: string,
): string {
  const known = session.samplings.get(number);
  if (known !== undefined && known.weights.key !== weights.weights.key) {
    throw new Refusal(409, `sampling_session_seq_id ${number} of session ${session.id} was used for other weights.`);
  }
  if (known !== undefined) return known.id;
  sessions.addSampling(session, number, { id, ...weights });
  return id;
}

/** By base model or by path, exactly one. */
function weightsOf(service: Service, baseModel: string | null, path: string | null): Weights {
  if (baseModel !== null && path !== null) throw new Refusal(400, 'Give base_model or model_path, not both.');
  if (path !== null) return { ...service.savedWeights(path), path };
  if (baseModel === null) throw new Refusal(422, 'sampling_session_id, base_model or model_path is needed.');
  return { ...service.baseWeights(baseModel), path: null };
}

export function samplingRoutes(service: Service): Route[] {
  const { sessions, futures } = service;

  const sample = (call: Call): Reply => {
    const body = jsonBody(call, sampleRequestSchema);
    const { sampling_session_id: sessionId, seq_id, sampling_params: params } = body;
    if ((body.topk_prompt_logprobs ?? 0) > 0) {
      throw new Refusal(400, 'This server tells no likeliest tokens of a prompt: ask with topk_prompt_logprobs 0.');
    }
    const { base, weights, path } =
      typeof sessionId === 'string'
        ? sessions.sampling(sessionId)
        : weightsOf(service, body.base_model ?? null, body.model_path ?? null);
    const run = path === null ? null : parsedPath(path).run;
    if (service.differences.includes('remembers-models') && run !== null && sessions.loaded(run) === null) {
      throw new Refusal(400, `Model ${run} not loaded`);
    }
    const sampler = service.sampler(base);
    if (sampler.load.waiting > service.longestQueue) {
      throw new Refusal(429, 'Too many samples wait.', { headers: { 'retry-after': '1' } });
    }
    const own =
      typeof sessionId === 'string' && typeof seq_id === 'number' ? `seq_id ${seq_id} of sampling ${sessionId}` : null;
    const future = futures.submit(keysOf(call, own), [call.path, body], () => {
      const run = async () => {
        const result = await sampleWithStops(sampler, base, {
          weights,
          prompt: tokensOf(body.prompt),
          samples: body.num_samples,
          seed: params.seed ?? null,
          maxTokens: params.max_tokens ?? null,
          temperature: params.temperature,
          tempered: true,
          topK: params.top_k,
          topP: params.top_p,
          stop: typeof params.stop === 'string' ? [params.stop] : (params.stop ?? []),
          promptLogprobs: body.prompt_logprobs ?? false,
        });
        service.meter.sampled(result.prompt, result.sequences);
        const { promptLogprobs } = result;
        const short = service.differences.includes('no-first-logprob');
        const told = { ...result, promptLogprobs: short ? (promptLogprobs?.slice(1) ?? null) : promptLogprobs };
        return { json: sampleResultJson(told), protobuf: () => encodeSampleResult(told) };
      };
      return { run, samples: body.num_samples };
    });
    // A field that the protocol's newer clients need and some servers omit.
    return promiseOf(service.differences.includes('no-sequence-ids') ? { ...future, samples: 0 } : future);
  };

  return [
    {
      ...{ method: 'POST', path: '/api/v1/create_sampling_session', dialect: 'tinker' },
      answer: (call) => {
        const body = jsonBody(call, createSamplingSessionSchema);
        const session = sessions.find(body.session_id);
        const weights = weightsOf(service, body.base_model ?? null, body.model_path ?? null);
        const id = openSampling(service, session, body.sampling_session_seq_id, weights, service.newId());
        return ok({ type: 'create_sampling_session', sampling_session_id: id });
      },
    },
    {
      ...{ method: 'GET', path: '/api/v1/samplers/*', dialect: 'tinker' },
      answer: ({ parameters: [id = ''] }) => {
        const { base, path } = sessions.sampling(id);
        return ok({ sampler_id: id, base_model: base.id, model_path: path });
      },
    },
    { method: 'POST', path: '/api/v1/asample', dialect: 'tinker', answer: sample },
  ];
}
