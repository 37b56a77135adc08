/**
 * A frozen policy on OpenAI-compatible servers: HTTP clients, results of probing, scheduler and tokenizer put together.
 */
import { addressesOf } from '../../endpoints/openai/address.ts';
import { OpenaiPolicy } from '../../endpoints/openai/openaiPolicy.ts';
import { probe } from '../../endpoints/openai/probe.ts';
import type { Connection } from '../../endpoints/openai/connection.ts';
import { watchLoad } from '../../endpoints/schedule/loadWatch.ts';
import type { Scheduler } from '../../endpoints/schedule/scheduler.ts';
import type { Policy } from '../../engine/ports.ts';
import { defined } from '../../shared/defined.ts';
import type { OpenaiEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { openaiConnection } from './openaiClient.ts';
import { openTokens } from './openTokens.ts';
import { socketsFor } from './socketsFor.ts';
import type { Role } from './weightFiles.ts';
import type { PolicyNeeds } from './policyNeeds.ts';

/** A usual capacity of servers with continuous batching. */
const usualInFlight = 256;

export async function openOpenai(endpoint: OpenaiEndpoint, role: Role, needs: PolicyNeeds): Promise<Policy> {
  return (await openServers(endpoint, role, needs)).policy;
}

/** The policy with the connections that it closes when it is disposed of. */
export async function openServers(
  endpoint: OpenaiEndpoint,
  role: Role,
  needs: PolicyNeeds,
): Promise<{ policy: Policy; connections: readonly Connection[] }> {
  const { log, time, schedulers, keys, signal } = needs;
  const { key, model, tokenizer } = endpoint;
  const addresses = addressesOf(endpoint.url);
  let scheduler: Scheduler | null = null;
  const connections = addresses.map((address, replica) => {
    const connection = openaiConnection(address, key, keys, {
      ...{ time, sockets: socketsFor(endpoint.inFlight), ...defined({ triesUnreachable: needs.triesUnreachable }) },
      silences: schedulers.silences,
      onTrouble: ({ request, attempt, what, refused, began, delay }) => {
        log.info(`${connection.http.url}: ${request}: ${what} (attempt ${attempt}, again in ${Math.round(delay)} ms)`);
        if (refused) scheduler?.refused(replica, began);
      },
    });
    return connection;
  });
  try {
    const tokens = tokenizer === null ? null : await openTokens(tokenizer, needs);
    const facts = await probe(connections, model, tokens, log, signal);
    const limit = endpoint.inFlight ?? facts.slots;
    scheduler = schedulers.of(
      addresses.map(({ root }) => root),
      limit,
    );
    watchLoad(
      scheduler,
      connections.map(({ http }) => http),
      time,
      log,
    );
    const concurrency = (limit ?? usualInFlight) * addresses.length;
    return { policy: new OpenaiPolicy({ name: role, facts, scheduler, tokens, concurrency }), connections };
  } catch (error) {
    for (const { http } of connections) http.close();
    throw error;
  }
}
