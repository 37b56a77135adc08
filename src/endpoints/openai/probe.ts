/** A server's kind and capabilities, found by asking it (openai-compatible servers tell little by themselves). */
import * as l10n from '@vscode/l10n';
import type { Log } from '../../engine/ports.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { EndpointError } from '../endpointError.ts';
import { dialects, strict, type Dialect, type ServerKind } from './dialect.ts';
import type { Connection } from './connection.ts';
import type { Ask } from './forms.ts';
import { Server, type Answer } from './server.ts';
import { kindOf, modelsOf, optional, servedModel } from './serverKind.ts';
import { loadedSchema, type ServedModel } from './wire.ts';

export interface ServerFacts {
  kind: ServerKind;
  server: Server;
  /** Prompt and completion, in tokens; null where it does not say. */
  context: number | null;
  /** Requests it works on at once; null where it does not say. */
  slots: number | null;
  /** It says how many tokens it read and wrote. */
  counts: boolean;
  /** Completions come with token ids and logprobs. */
  ids: boolean;
  /** Prompts may be token ids. */
  tokensIn: boolean;
  /** Given tokens can be scored. */
  scores: boolean;
  /** The treatment of tools in a request; `unknown` where the server does not count a prompt's tokens. */
  tools: 'taken' | 'refused' | 'ignored' | 'unknown';
}

/** @throws EndpointError */
export async function probe(
  connections: readonly Connection[],
  model: string,
  tokens: Tokens | null,
  log: Log,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const [first] = connections;
  if (first === undefined) throw new Error('Unreachable: an endpoint has an address.');
  const models = await listed(first, signal);
  const own = servedModel(models, model);
  const { kind: told, props } = await kindOf(first, own ?? models[0], signal);
  const tried = await tryChat(connections, model, models, told, signal);
  const { kind } = tried;
  const raw =
    tokens === null
      ? null
      : await tryTokens(new Server(connections, model, tried.server.dialect, probeTries), tokens, signal);
  const { server } = tried;
  const { title, fixed } = server.dialect;
  const tools = await tryTools(new Server(connections, model, server.dialect, probeTries), signal);
  log.info(`${server.url}: ${title}; token ids ${tried.ids ? 'come with its answers' : 'are not told'}.`);
  if (fixed !== undefined) log.warn(`${server.url}: ${fixed()}; a request cannot set them.`);
  if (raw?.tokensIn === false) log.warn(`${server.url}: takes no token ids: its own chat template is used.`);
  const isCounted = tried.counts || tried.ids || raw?.tokensIn === true;
  if (!isCounted) {
    const by = tokens === null ? 'from characters' : 'with the model’s tokenizer';
    log.warn(
      `${server.url}: does not say how many tokens it reads and writes: GenEnv estimates them ${by}; budgets and costs are estimates.`,
    );
  }
  return {
    ...{ kind, server, counts: tried.counts, ids: tried.ids, tokensIn: raw?.tokensIn ?? false },
    ...{ scores: raw?.scores ?? false, tools },
    context:
      own?.max_model_len ??
      props?.default_generation_settings.n_ctx ??
      (kind === 'ollama' ? await loadedContext(first, model, signal) : null),
    slots: props?.total_slots ?? null,
  };
}

/** A list that fails is done without soon; a server that is away is waited for. */
async function listed(connection: Connection, signal: AbortSignal): Promise<ServedModel[]> {
  try {
    return await modelsOf(connection, signal, probeTries);
  } catch (error) {
    if (!EndpointError.is(error, 'unreachable') && !EndpointError.is(error, 'overloaded')) throw error;
    return modelsOf(connection, signal);
  }
}

/** A server that lacks a capability keeps lacking it, but one bad answer is no proof. */
const probeTries = 4;

/** A text that every model has a token for. */
const hello: Ask['messages'] = [{ role: 'user', content: '1' }];

/** Some hosted models refuse to answer with a single token. */
const shortly = ({ maxTokens }: Dialect, n: number): Ask => ({
  ...{ messages: hello, n, seed: 1, temperature: 1 },
  maxTokens: maxTokens === 'max_completion_tokens' ? 16 : 1,
});

/** One short answer with everything that this kind of server is said to understand, then with less. */
async function tryChat(
  connections: readonly Connection[],
  model: string,
  models: readonly ServedModel[],
  kind: ServerKind,
  signal: AbortSignal,
  dialect = dialects[kind],
): Promise<Pick<ServerFacts, 'kind' | 'server' | 'counts' | 'ids'>> {
  const ask = (n: number): Ask => shortly(dialect, n);
  const server = new Server(connections, model, dialect);
  const alone = new Server(connections, model, { ...dialect, several: false, tokenIds: null });
  try {
    const answers = await server.chat(0, ask(dialect.several ? 2 : 1), false, signal);
    const several = dialect.several && answers.length === 2;
    const ids =
      dialect.tokenIds !== null &&
      (await tellsIds(new Server(connections, model, dialect, probeTries), ask(1), signal));
    return { kind, server: new Server(connections, model, { ...dialect, several }), counts: areCounted(answers), ids };
  } catch (error) {
    if (!EndpointError.is(error)) throw error;
    if (error.status === 404) throw notServed(server, models, error);
    if (error.status === 400 || error.status === 422) {
      // It refuses fields that it does not know, as transformers does; that one knows another way to say the same.
      if (dialect === dialects.unknown) return tryChat(connections, model, models, 'transformers', signal);
      if (kind === 'transformers')
        return tryChat(connections, model, models, 'unknown', signal, strict(dialects.unknown));
    }
    if (!dialect.several || error.status !== 400) throw error;
    const counts = areCounted(await alone.chat(0, ask(1), false, signal));
    return { kind, server: alone, counts, ids: false };
  }
}

/** An answer that is empty may have no tokens. */
const areCounted = (answers: readonly Answer[]): boolean =>
  answers.every(({ promptCount, answerCount, text }) => promptCount !== null && (answerCount !== null || text === ''));

async function tellsIds(server: Server, ask: Ask, signal: AbortSignal): Promise<boolean> {
  return can(async () => {
    const [answer] = await server.chat(0, ask, true, signal);
    return answer !== undefined && answer.promptTokens.length > 0;
  });
}

async function tryTokens(
  server: Server,
  tokens: Tokens,
  signal: AbortSignal,
): Promise<Pick<ServerFacts, 'tokensIn' | 'scores'>> {
  const { tokensIn, scores } = server.dialect;
  if (!tokensIn) return { tokensIn: false, scores: false };
  const ids = tokens.prompt(hello);
  const prompt = { ids, stop: tokens.stop, decode: (given: readonly number[]) => tokens.decode(given) };
  const ask = { messages: hello, n: 1, seed: 1, maxTokens: 1, temperature: 1 };
  return {
    tokensIn: await can(async () => (await server.complete(0, ask, prompt, signal)).length > 0),
    scores: scores && (await can(async () => (await server.score(0, ids, signal)).length === ids.length)),
  };
}

const tool = {
  name: 'note',
  description: 'Writes a number down.',
  parameters: { type: 'object', properties: { value: { type: 'integer' } }, required: ['value'] },
};

/** Tools that are taken make the prompt longer; what makes no difference was passed over. */
async function tryTools(server: Server, signal: AbortSignal): Promise<ServerFacts['tools']> {
  const count = async (tools: Ask['tools'] & object): Promise<number | null> => {
    const [answer] = await server.chat(0, { ...shortly(server.dialect, 1), tools }, false, signal);
    return answer?.promptCount ?? null;
  };
  try {
    const [without, together] = [await count([]), await count([tool])];
    if (without === null || together === null) return 'unknown';
    return together > without ? 'taken' : 'ignored';
  } catch (error) {
    // llama.cpp says so with 500.
    const named = EndpointError.is(error, 'failed') && /tool|jinja/i.test(error.message);
    if (named || EndpointError.is(error, 'refused') || EndpointError.is(error, 'unable')) return 'refused';
    throw error;
  }
}

/** False for what the server refuses, or answers with less than was asked for. */
async function can(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (EndpointError.is(error, 'refused') || EndpointError.is(error, 'malformed')) return false;
    throw error;
  }
}

function notServed(server: Server, models: readonly ServedModel[], cause: EndpointError): EndpointError {
  const known = models.slice(0, 12).map(({ id }) => id);
  return new EndpointError('unable', l10n.t('it does not serve the model "{0}" at this address', server.model), {
    ...{ endpoint: server.url, request: cause.request, attempts: 1, status: 404, cause },
    remedy:
      known.length === 0
        ? l10n.t('Check the address, which usually ends in /v1, and the model.')
        : l10n.t('It serves {0}.', known.join(', ')),
  });
}

async function loadedContext({ http }: Connection, model: string, signal: AbortSignal): Promise<number | null> {
  const loaded = await optional(http, '/api/ps', loadedSchema, signal);
  return loaded?.models.find(({ name }) => name === model || name === `${model}:latest`)?.context_length ?? null;
}
