/** The saves that a Tinker server keeps of a model (§13): listed and deleted. */
import * as z from 'zod';
import { EndpointError } from '../endpointError.ts';
import type { HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';

export interface ServerSave {
  /** `tinker://MODEL/weights/NAME`. */
  handle: string;
  /** Null where the server does not tell. */
  bytes: number | null;
  /** ISO 8601; null where the server does not tell. */
  time: string | null;
}

const listSchema = z.object({
  checkpoints: z.array(
    z.object({
      tinker_path: z.string(),
      size_bytes: z.number().nonnegative().nullish(),
      time: z
        .string()
        .transform((time) => (Number.isFinite(Date.parse(time)) ? time : null))
        .nullish(),
    }),
  ),
});

/** The parts of a save's address. */
export interface SavePlace {
  model: string;
  kind: 'weights' | 'sampler_weights';
  name: string;
}

/** Null for what is no save, such as a base model. SkyRL names no kind for weights to sample from (§15). */
export function savePlace(handle: string): SavePlace | null {
  const [, model, kind = 'sampler_weights', name] =
    /^tinker:\/\/([^/]+)\/(?:(weights|sampler_weights)\/)?([^/]+)$/.exec(handle) ?? [];
  if (model === undefined || name === undefined) return null;
  return { model, kind: kind === 'weights' ? kind : 'sampler_weights', name };
}

const listing = (model: string): string => `/api/v1/training_runs/${encodeURIComponent(model)}/checkpoints`;

/** All saves of a model; none where the server does not know the model. @throws EndpointError */
export async function savesOf(http: HttpClient, model: string, signal: AbortSignal): Promise<ServerSave[]> {
  try {
    const request = { method: 'GET' as const, path: listing(model) };
    const { checkpoints } = await sendForJson(http, request, listSchema, signal);
    return checkpoints.map(({ tinker_path, size_bytes = null, time = null }) => ({
      ...{ handle: tinker_path, bytes: size_bytes, time },
    }));
  } catch (error) {
    if (EndpointError.is(error) && error.status === 404) return [];
    throw error;
  }
}

/** The answers of servers without such a call, and to a save that is not there. */
const without = [404, 405, 410, 501];

/** @returns whether the server says that it deleted it. @throws EndpointError */
export async function deleteSave(
  http: HttpClient,
  { model, kind, name }: SavePlace,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `${listing(model)}/${kind}/${encodeURIComponent(name)}`;
  const { status } = await http.send({ method: 'DELETE', path, accept: without }, signal);
  return status < 300;
}
