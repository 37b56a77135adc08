/** A policy that jobs of verl train and a vLLM server samples: cluster, ledger, sampler and scorer put together. */
import { basename, join } from 'node:path';
import { Adapters } from '../../endpoints/openai/adapters/adapters.ts';
import { AdapterSampler, adapterFamily } from '../../endpoints/verl/adapterSampler.ts';
import { JobLedger } from '../../endpoints/verl/ledger.ts';
import { VerlPolicy } from '../../endpoints/verl/verlPolicy.ts';
import { jobScorer } from '../../benchmarks/jobScorer.ts';
import type { Policy } from '../../engine/ports.ts';
import type { VerlEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { jobReward } from '../scoring/jobReward.ts';
import { openServers } from './openOpenai.ts';
import { clusterOf } from './verlClient.ts';
import type { Role } from './weightFiles.ts';
import type { PolicyNeeds } from './policyNeeds.ts';

/** Where a policy's jobs are noted, in the run's folder. */
export const jobsFile = (dir: string, role: Role): string => join(dir, 'endpoints', `verl-${role}.jsonl`);

/** @throws EndpointError, KeyError when the cluster or the sampler cannot be used */
export async function openVerl(endpoint: VerlEndpoint, role: Role, needs: PolicyNeeds): Promise<Policy> {
  const { dir, fence, dist, keys, log, time, signal, reward } = needs;
  const run = basename(dir);
  const { launcher, files } = clusterOf(endpoint, keys, {
    time,
    silences: needs.schedulers.silences,
    onTrouble: ({ request, attempt, what, delay }) =>
      log.info(`${endpoint.url}: ${request}: ${what} (attempt ${attempt}, again in ${Math.round(delay)} ms)`),
  });
  try {
    const sampler = await openSampler(endpoint, role, run, needs);
    try {
      const ledger = await JobLedger.open(jobsFile(dir, role), fence);
      const scorer = { python: (await jobReward(dir, dist, reward)) ?? jobScorer() };
      const parts = { name: role, endpoint, run, launcher, files, ledger, sampler, scorer, log, time };
      return await VerlPolicy.open(parts, signal);
    } catch (error) {
      await sampler.dispose();
      throw error;
    }
  } catch (error) {
    launcher.close();
    throw error;
  }
}

async function openSampler(
  { sampler, samplerKey, model, inFlight }: VerlEndpoint,
  role: Role,
  run: string,
  needs: PolicyNeeds,
): Promise<AdapterSampler> {
  const { log, time, signal } = needs;
  const server = { kind: 'openai', url: sampler, key: samplerKey, model, tokenizer: null, inFlight } as const;
  const { policy, connections } = await openServers(server, role, needs);
  try {
    const family = adapterFamily(run, role);
    const adapters = await Adapters.open({ connections, base: model, family, log, time }, signal);
    return new AdapterSampler(policy, adapters, family);
  } catch (error) {
    await policy.dispose();
    throw error;
  }
}
