/** Which release of its kind a server is. */
import * as z from 'zod';
import type { Connection } from './connection.ts';
import type { ServerKind } from './dialect.ts';
import { optional } from './serverKind.ts';

const version = z.object({ version: z.string() }).transform((told) => told.version);
const build = z.object({ build_info: z.string() }).transform((told) => told.build_info);

const calls: Partial<Record<ServerKind, [path: string, schema: z.ZodType<string>]>> = {
  vllm: ['/version', version],
  sglang: ['/get_server_info', version],
  'llama.cpp': ['/props', build],
  ollama: ['/api/version', version],
};

/** Null where it does not say. */
export async function versionOf({ http }: Connection, kind: ServerKind, signal: AbortSignal): Promise<string | null> {
  const call = calls[kind];
  return call === undefined ? null : optional(http, ...call, signal);
}
