/** The kind of server at an address, by its own account. */
import type * as z from 'zod';
import { EndpointError } from '../endpointError.ts';
import type { HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';
import type { LoadedAdapter } from './adapters/adapterCalls.ts';
import type { ServerKind } from './dialect.ts';
import type { Connection } from './connection.ts';
import { modelInfoSchema, modelsSchema, propsSchema, versionSchema, type ServedModel } from './wire.ts';

/** The models that a server lists; empty where it has no such list. @throws EndpointError */
export async function modelsOf(connection: Connection, signal: AbortSignal, tries?: number): Promise<ServedModel[]> {
  try {
    const { data } = await connection.ask((client) => client.get('/models'), modelsSchema, { signal, tries });
    return data ?? [];
  } catch (error) {
    // Some gateways have no list, and some servers fail at it (transformers serve, on a model of a folder).
    if (EndpointError.is(error) && [404, 405, 500, 501].includes(error.status ?? 0)) return [];
    throw error;
  }
}

/** Models with a parent: the adapters of vLLM and SGLang. @throws EndpointError */
export async function loadedAdapters(connection: Connection, signal: AbortSignal): Promise<LoadedAdapter[]> {
  const models = await modelsOf(connection, signal);
  return models
    .filter(({ parent }) => typeof parent === 'string')
    .map(({ id, root }) => ({ name: id, path: root ?? null }));
}

/** The model of a name; Ollama lists it with its tag. */
export const servedModel = (models: readonly ServedModel[], name: string): ServedModel | undefined =>
  models.find(({ id }) => id === name || id === `${name}:latest`);

const owners = new Map<string, ServerKind>([
  ['vllm', 'vllm'],
  ['sglang', 'sglang'],
  ['llamacpp', 'llama.cpp'],
  ['library', 'ollama'],
  ['genenv', 'genenv'],
]);

export interface ToldKind {
  kind: ServerKind;
  /** llama.cpp's own. */
  props: z.infer<typeof propsSchema> | null;
}

export async function kindOf(
  { http }: Connection,
  model: Pick<ServedModel, 'owned_by'> | undefined,
  signal: AbortSignal,
): Promise<ToldKind> {
  const props = await optional(http, '/props', propsSchema, signal);
  const told = async (): Promise<ServerKind> => {
    const named = owners.get(model?.owned_by ?? '');
    if (named !== undefined) return named;
    if (props !== null) return 'llama.cpp';
    if (new URL(http.url).hostname === 'api.openai.com') return 'hosted';
    if ((await optional(http, '/get_model_info', modelInfoSchema, signal)) !== null) return 'sglang';
    if ((await optional(http, '/api/version', versionSchema, signal)) !== null) return 'ollama';
    return (await optional(http, '/version', versionSchema, signal)) === null ? 'unknown' : 'vllm';
  };
  return { kind: await told(), props };
}

/** An answer that only one kind of server gives; null from those that do not know the call, however they say so. */
export async function optional<T>(
  http: HttpClient,
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<T | null> {
  try {
    // A call that is not known is refused once and for all; one spoilt answer would make another kind of server of it.
    return await sendForJson(http, { method: 'GET', path, tries: 4 }, schema, signal);
  } catch (error) {
    if (EndpointError.is(error)) return null;
    throw error;
  }
}
