/** A policy on a Tinker server: its HTTP client, scheduler, session and tokenizer put together. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { NodeHttpClient } from '../backends/http/nodeHttpClient.ts';
import { AdaptiveScheduler } from '../backends/schedule/adaptiveScheduler.ts';
import { Connection } from '../backends/tinker/connection.ts';
import { Ledger } from '../backends/tinker/ledger.ts';
import { TinkerPolicy } from '../backends/tinker/tinkerPolicy.ts';
import { ChatTokens } from '../backends/tokens/chatTokens.ts';
import { fetchText } from '../backends/tokens/fetchText.ts';
import { readTokenizer } from '../backends/tokens/tokenizerFiles.ts';
import type { Policy } from '../engine/ports.ts';
import type { TinkerEndpoint } from '../shared/experiment/endpoint.ts';
import type { PolicyNeeds } from './openPolicy.ts';
import type { Role } from './weightFiles.ts';

/** Tokenizers are megabytes and the same for every run. */
const tokenizerCache = join(homedir(), '.cache', 'genenv', 'tokenizers');

export async function openTinker(endpoint: TinkerEndpoint, role: Role, needs: PolicyNeeds): Promise<Policy> {
  const { log, clock, dir, keys, signal } = needs;
  const { key, inFlight } = endpoint;
  const scheduler = new AdaptiveScheduler({ limit: inFlight });
  const http = new NodeHttpClient({
    url: endpoint.url,
    idempotencyHeader: 'x-idempotency-key',
    retryHeader: 'x-stainless-retry-count',
    ...(key === null ? {} : { credentials: async () => ({ 'x-api-key': await keys.find(key) }) }),
    onTrouble: ({ request, attempt, what, refused, began, delay }) => {
      log.info(`${endpoint.url}: ${request}: ${what} (attempt ${attempt}, again in ${Math.round(delay)} ms)`);
      if (refused) scheduler.refused(0, began);
    },
  });
  const ledger = await Ledger.open(join(dir, 'endpoints', `tinker-${role}.jsonl`));
  const connection = new Connection({ http, ledger, log, now: () => clock.now() });
  try {
    const facts = await connection.facts(signal);
    const source = endpoint.tokenizer ?? facts.tokenizerOf(endpoint.model);
    const tokens = new ChatTokens(await readTokenizer(source, tokenizerCache, fetchText));
    return await TinkerPolicy.open({ name: role, endpoint, connection, scheduler, tokens, facts }, signal);
  } catch (error) {
    connection.close();
    throw error;
  }
}
