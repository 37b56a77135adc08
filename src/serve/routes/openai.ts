/** The chat and completion calls of OpenAI-compatible servers, with vLLM's fields for token ids and scoring. */
import { EmbeddedError } from '../../endpoints/embedded/errors.ts';
import { render } from '../../endpoints/embedded/render.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Call } from '../http/call.ts';
import { Refusal } from '../http/refusal.ts';
import { ok, text, type Reply } from '../http/reply.ts';
import type { Route } from '../http/router.ts';
import type { BaseModel } from '../models/baseModel.ts';
import { RequestFault } from '../models/requestFault.ts';
import type { FrozenWeights } from '../models/samplingModel.ts';
import { sampleWithStops, scoresOnly } from '../models/stops.ts';
import { tinkerPath } from '../state/ids.ts';
import type { Service } from '../state/service.ts';
import { chatSchema, completionSchema, openaiBody, type CommonBody } from '../wire/openai.ts';
import { chatForm, completionForm, eventsOf, type Answered, type Form } from './openaiForms.ts';

/** Default of `max_tokens` for `/v1/completions`. */
const defaultTokens = 16;

/** The hosted service has the same calls below this. */
const prefixes = ['', '/oai/api'];

export function openaiRoutes(service: Service): Route[] {
  const chat = (call: Call): Promise<Reply> => {
    const body = openaiBody(call.body, chatSchema);
    const messages = body.messages.map(({ role, content }): Message => ({
      role: role === 'developer' ? 'system' : role,
      content,
    }));
    return complete(service, call, body, {
      form: chatForm(body.logprobs ?? false),
      tokens: ({ vocabulary }) => render(vocabulary, messages).tokens,
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? null,
    });
  };
  const completion = (call: Call): Promise<Reply> => {
    const body = openaiBody(call.body, completionSchema);
    const { prompt } = body;
    return complete(service, call, body, {
      form: completionForm(typeof body.logprobs === 'number'),
      tokens: ({ vocabulary }) => (typeof prompt === 'string' ? vocabulary.encode(prompt) : prompt),
      maxTokens: body.max_tokens ?? defaultTokens,
    });
  };
  return [
    { method: 'GET', path: '/health', dialect: 'openai', open: true, answer: () => ({ kind: 'empty', status: 200 }) },
    { method: 'GET', path: '/metrics', dialect: 'openai', open: true, answer: () => metrics(service) },
    ...prefixes.flatMap((prefix): Route[] => [
      {
        ...{ method: 'GET', path: `${prefix}/v1/models`, dialect: 'openai' },
        answer: () => ok({ object: 'list', data: models(service) }),
      },
      // A base model's name has a slash, which some clients encode and others do not.
      ...['*', '*/*'].map((name): Route => ({
        ...{ method: 'GET', path: `${prefix}/v1/models/${name}`, dialect: 'openai' },
        answer: ({ parameters }) => {
          const id = parameters.join('/');
          const found = models(service).find((one) => one.id === id);
          if (found === undefined) throw new Refusal(404, `There is no model '${id}'.`);
          return ok(found);
        },
      })),
      { method: 'POST', path: `${prefix}/v1/chat/completions`, dialect: 'openai', answer: chat },
      { method: 'POST', path: `${prefix}/v1/completions`, dialect: 'openai', answer: completion },
    ]),
  ];
}

interface ModelEntry {
  id: string;
  object: 'model';
  /** Seconds since 1970; 0 for what was shipped. */
  created: number;
  owned_by: string;
  root: string;
  parent: string | null;
  max_model_len: number;
}

/** The base models, and every checkpoint that can be sampled from. */
function models({ models: bases, archive }: Service): ModelEntry[] {
  const entry = (id: string, parent: string | null, created: string | null, context: number): ModelEntry => {
    const seconds = created === null ? 0 : Math.floor(Date.parse(created) / 1000);
    return { id, object: 'model', created: seconds, owned_by: 'genenv', root: id, parent, max_model_len: context };
  };
  const saved = archive.runs.flatMap((run) => {
    const context = bases.find(({ id }) => id === run.baseModel)?.config.context ?? 0;
    return archive
      .checkpoints(run)
      .filter(({ kind }) => kind === 'sampler_weights')
      .map(({ kind, name, time }) => entry(tinkerPath({ run: run.id, kind, name }), run.baseModel, time, context));
  });
  const shipped = bases.map(({ id, config }) => entry(id, null, null, config.context));
  return [...shipped, ...saved];
}

function metrics(service: Service): Reply {
  const load = service.models.map((base) => ({ model: base.id, ...service.sampler(base).load }));
  return text(service.meter.text(load), 'text/plain; version=0.0.4; charset=utf-8');
}

interface Asked {
  form: Form;
  tokens: (base: BaseModel) => readonly number[];
  maxTokens: number | null;
}

async function complete(service: Service, call: Call, body: CommonBody, asked: Asked): Promise<Reply> {
  const { base, weights } = modelOf(service, body.model);
  const sampler = service.sampler(base);
  if (sampler.load.waiting > service.longestQueue) {
    throw new Refusal(429, 'Too many requests wait.', { headers: { 'retry-after': '1' } });
  }
  const prompt = orRefuse(() => asked.tokens(base));
  const stop = typeof body.stop === 'string' ? [body.stop] : (body.stop ?? []);
  const texts = stop.filter((entry) => entry !== '');
  const promptLogprobs = typeof body.prompt_logprobs === 'number';
  checkRoom({ prompt: prompt.length, maxTokens: asked.maxTokens, promptLogprobs }, base);
  const order = {
    ...{ weights, prompt, samples: body.n ?? 1, seed: body.seed ?? null, maxTokens: asked.maxTokens },
    ...{
      temperature: body.temperature ?? 1,
      tempered: false,
      topK: -1,
      topP: 1,
      stop: [...texts, ...(body.stop_token_ids ?? [])],
    },
    promptLogprobs,
  };
  const result = await sampleWithStops(sampler, base, order, call.signal).catch((error: unknown) => {
    throw faultOf(error);
  });
  service.meter.sampled(prompt.length, result.sequences);
  const answered: Answered = {
    ...{ id: service.newId(), model: body.model, created: Math.floor(service.now() / 1000) },
    ...{ vocabulary: base.vocabulary, prompt, texts, tokenIds: body.return_token_ids ?? false },
    ...{ sequences: result.sequences, promptLogprobs: result.promptLogprobs },
  };
  if (body.stream !== true) return ok(asked.form.whole(answered));
  return { kind: 'events', events: eventsOf(asked.form, answered, body.stream_options?.include_usage ?? false) };
}

/** @throws Refusal 404, in the words that clients look for */
function modelOf(service: Service, name: string): { base: BaseModel; weights: FrozenWeights } {
  try {
    return name.startsWith('tinker://') ? service.savedWeights(name) : service.baseWeights(name);
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal(404, `The model \`${name}\` does not exist. ${error.message}`);
    throw error;
  }
}

/** @throws Refusal 400, in the words that clients know a full context by */
function checkRoom(
  { prompt, maxTokens, promptLogprobs }: { prompt: number; maxTokens: number | null; promptLogprobs: boolean },
  { config: { context } }: BaseModel,
): void {
  const asked = maxTokens ?? 1;
  if (prompt + asked <= context || scoresOnly({ promptLogprobs, maxTokens: asked }, context - prompt)) return;
  throw new Refusal(
    400,
    `This model's maximum context length is ${context} tokens. However, you requested ${prompt + asked} tokens ` +
      `(${prompt} in the prompt, ${asked} in the completion). Please reduce the length of either.`,
  );
}

function orRefuse<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw faultOf(error);
  }
}

function faultOf(error: unknown): unknown {
  const own = error instanceof RequestFault || (error instanceof EmbeddedError && error.reason === 'vocabulary');
  return own ? new Refusal(400, error.message) : error;
}
