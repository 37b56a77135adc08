/** From a request to its evaluation, for starting or resuming one. */
import { basename, dirname } from 'node:path';
import type { Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { EvaluationRequest } from '../../../shared/records/evaluation.ts';
import { RunStore } from '../../../runs/store/runStore.ts';
import { readAdapterFile } from '../../../launch/adapters/readAdapterFile.ts';
import type { AgentTools } from '../../../launch/policies/newestAgent.ts';
import type { PolicyChoice } from './openChoice.ts';
import type { EvaluationAsk } from './evaluationAsk.ts';

/** An opened request; `close` releases its run. */
export interface OpenRequest {
  ask: Omit<EvaluationAsk, 'folderOf'>;
  close(): Promise<void>;
}

/** @throws InputError, RunError */
export async function openRequest(
  request: EvaluationRequest,
  tools: Pick<AgentTools, 'clock' | 'log'>,
): Promise<OpenRequest> {
  const { adapter: adapterFile, policy, judge, ...rest } = request;
  const { adapter } = await readAdapterFile(adapterFile, adapterFile);
  const opened = await openPolicyOf(policy, tools);
  const judging = judge === null ? null : livingAt(judge.name, judge.endpoint);
  return { ask: { ...rest, adapter, adapterFile, policy: opened.policy, judge: judging }, close: opened.close };
}

/** The agent at an endpoint, without an experiment of its own. */
export function livingAt(name: string, agent: Endpoint): Extract<PolicyChoice, { kind: 'experiment' }> {
  const { endpoints } = presets.embedded;
  return { kind: 'experiment', name, experiment: { ...presets.embedded, endpoints: { ...endpoints, agent } } };
}

async function openPolicyOf(
  policy: EvaluationRequest['policy'],
  { clock, log }: Pick<AgentTools, 'clock' | 'log'>,
): Promise<{ policy: PolicyChoice; close: () => Promise<void> }> {
  const nothing = (): Promise<void> => Promise.resolve();
  switch (policy.kind) {
    case 'run': {
      const store = new RunStore(dirname(policy.run), { clock, log, version: '' });
      const run = await store.openReader(basename(policy.run));
      return { policy: { kind: 'run', run, version: policy.version }, close: () => run.close() };
    }
    case 'endpoint':
      return { policy: livingAt(policy.name, policy.endpoint), close: nothing };
    default:
      return { policy, close: nothing };
  }
}
