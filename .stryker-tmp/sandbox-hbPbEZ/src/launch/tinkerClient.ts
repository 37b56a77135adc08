/** What it takes to talk to a Tinker endpoint: an HTTP client with its key, and its model's tokens. */
import { NodeHttpClient, type HttpClientOptions } from '../backends/http/nodeHttpClient.ts';
import type { ServerFacts } from '../backends/tinker/facts.ts';
import type { ChatTokens } from '../backends/tokens/chatTokens.ts';
import type { TinkerEndpoint } from '../shared/experiment/endpoint.ts';
import type { Keys } from './keys.ts';
import { openTokens } from './openTokens.ts';

/** Keys are looked up with the first request. */
export function tinkerClient(
  { url, key }: Pick<TinkerEndpoint, 'url' | 'key'>,
  keys: Keys,
  options: Pick<HttpClientOptions, 'time' | 'onTrouble'> = {},
): NodeHttpClient {
  return new NodeHttpClient({
    url,
    idempotencyHeader: 'x-idempotency-key',
    retryHeader: 'x-stainless-retry-count',
    ...(key === null ? {} : { credentials: async () => ({ 'x-api-key': await keys.find(key) }) }),
    ...options,
  });
}

/** The tokens of an endpoint's model: as the endpoint says, else as its server does. @throws TokensError */
export async function tinkerTokens(
  { tokenizer, model }: Pick<TinkerEndpoint, 'tokenizer' | 'model'>,
  facts: Pick<ServerFacts, 'tokenizerOf'>,
): Promise<ChatTokens> {
  return openTokens(tokenizer ?? facts.tokenizerOf(model));
}
