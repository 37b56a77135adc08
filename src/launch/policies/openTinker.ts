/** A policy on a Tinker server: its HTTP client, scheduler, session and tokenizer put together. */
import { join } from 'node:path';
import { calmLog } from '../../endpoints/calmLog.ts';
import { watchLoad } from '../../endpoints/schedule/loadWatch.ts';
import { AskedSamples } from '../../endpoints/tinker/askedSamples.ts';
import { Connection } from '../../endpoints/tinker/connection.ts';
import { readFacts } from '../../endpoints/tinker/facts.ts';
import { Ledger } from '../../endpoints/tinker/ledger.ts';
import { TinkerPolicy } from '../../endpoints/tinker/tinkerPolicy.ts';
import type { Policy } from '../../engine/ports.ts';
import { defined } from '../../shared/defined.ts';
import type { TinkerEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { tinkerClient, tinkerTokens } from './tinkerClient.ts';
import { socketsFor } from './socketsFor.ts';
import type { Role } from './weightFiles.ts';
import type { PolicyNeeds } from './policyNeeds.ts';

export async function openTinker(endpoint: TinkerEndpoint, role: Role, needs: PolicyNeeds): Promise<Policy> {
  const { log, time, schedulers, dir, fence, keys, signal, trained } = needs;
  const scheduler = schedulers.of([endpoint.url], endpoint.inFlight);
  const troubles = calmLog(log);
  const http = tinkerClient(endpoint, keys, {
    ...{ time, sockets: socketsFor(endpoint.inFlight), ...defined({ triesUnreachable: needs.triesUnreachable }) },
    silences: schedulers.silences,
    onTrouble: ({ request, attempt, what, refused, began, delay }) => {
      troubles.info(`${endpoint.url}: ${request}: ${what} (attempt ${attempt}, again in ${Math.round(delay)} ms)`);
      if (!refused) return;
      scheduler.refused(0, began);
      connection.refused();
    },
  });
  const ledger = await Ledger.open(join(dir, 'endpoints', `tinker-${role}.jsonl`), fence);
  const connection = new Connection({
    ...{ http, ledger, log, time, ...defined({ triesUnreachable: needs.triesUnreachable }) },
    onQueue: (waits) => scheduler.busy(0, { waiting: waits ? 1 : 0, full: false }),
  });
  try {
    const facts = await readFacts(http, signal);
    watchLoad(scheduler, [http], time, log);
    const tokens = await tinkerTokens(endpoint, facts, needs);
    const asked = await AskedSamples.open(join(dir, 'endpoints', `tinker-${role}-asked.jsonl`), fence);
    const parts = { name: role, endpoint, connection, scheduler, tokens, facts, asked };
    const policy = await TinkerPolicy.open(parts, signal);
    if (trained !== undefined) await policy.prepare(trained === 'together');
    return policy;
  } catch (error) {
    connection.close();
    throw error;
  }
}
