/** Connects to a Tinker endpoint: an HTTP client with its key, and its model's tokens. */
import { NodeHttpClient, type HttpClientOptions } from '../../endpoints/http/nodeHttpClient.ts';
import type { ServerFacts } from '../../endpoints/tinker/facts.ts';
import type { Tokens } from '../../endpoints/tokens/tokens.ts';
import type { TinkerEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { authorization, proofFor, type Keys } from '../access/keys.ts';
import { openTokens, type TokenNeeds } from './openTokens.ts';

/** Keys are looked up with the first request. */
export function tinkerClient(
  { url, key }: Pick<TinkerEndpoint, 'url' | 'key'>,
  keys: Keys,
  options: Pick<HttpClientOptions, 'time' | 'onTrouble' | 'silences' | 'sockets' | 'triesUnreachable'> = {},
): NodeHttpClient {
  return new NodeHttpClient({
    url,
    json: true,
    idempotencyHeader: 'x-idempotency-key',
    retryHeader: 'x-stainless-retry-count',
    credentials: proofFor(keys, { key, url }, (found) =>
      found.startsWith('Basic ') ? authorization(found) : { 'x-api-key': found },
    ),
    ...options,
  });
}

/** The tokens of an endpoint's model: as the endpoint says, else as its server does. @throws TokensError */
export async function tinkerTokens(
  { tokenizer, model }: Pick<TinkerEndpoint, 'tokenizer' | 'model'>,
  facts: Pick<ServerFacts, 'tokenizerOf'>,
  needs: TokenNeeds,
): Promise<Tokens> {
  return openTokens(tokenizer ?? facts.tokenizerOf(model), needs);
}
