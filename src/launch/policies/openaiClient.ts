/** Connects to an OpenAI-compatible server: an HTTP client with its key. */
import { NodeHttpClient, type HttpClientOptions } from '../../endpoints/http/nodeHttpClient.ts';
import type { Address } from '../../endpoints/openai/address.ts';
import { Connection } from '../../endpoints/openai/connection.ts';
import { authorization, proofFor, type Keys } from '../access/keys.ts';

/** Of what no model writes: a list of models, an embedding (answers: `patience.ts`). It may wait behind long answers. */
const timeout = { answer: 600_000, whole: 900_000 };

/** The key is looked up with the first request. */
export function openaiConnection(
  { root, api }: Address,
  key: string | null,
  keys: Keys,
  options: Pick<
    HttpClientOptions,
    'time' | 'timeout' | 'onTrouble' | 'silences' | 'tries' | 'sockets' | 'triesUnreachable'
  > = {},
): Connection {
  const http = new NodeHttpClient({
    ...{ url: root, api, json: true, timeout, credentials: proofFor(keys, { key, url: root }, authorization) },
    ...options,
  });
  return new Connection(http, api);
}
