/** A second instance of a run's agent at its newest published version, which leaves the run and its server as they are. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedError } from '../../endpoints/embedded/errors.ts';
import { machineTime, type Time } from '../../endpoints/time.ts';
import type { Clock, Log, Policy, PolicyVersion } from '../../engine/ports.ts';
import { StateFold, type RunState } from '../../engine/state.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Keys } from '../access/keys.ts';
import { openPolicy } from './openPolicy.ts';
import { ReattemptError } from './reattemptError.ts';
import { Schedulers } from './schedulers.ts';
import type { Role } from './weightFiles.ts';

export interface AgentTools {
  dist: URL;
  clock: Clock;
  /** The machine's when absent. */
  time?: Time;
  log: Log;
  keys: Keys;
  signal: AbortSignal;
}

/** A policy to sample from. */
export interface OpenAgent {
  policy: Policy;
  version: PolicyVersion;
  /** Lets go of it, and of what it needed on the disk. */
  close(): Promise<void>;
}

/** @throws ReattemptError `no-agent`; RunError, and the endpoint's own errors */
export async function newestAgent(run: RunReader, tools: AgentTools): Promise<OpenAgent> {
  const state = await stateOf(run);
  try {
    return await agentAt(run, state, tools);
  } catch (error) {
    if (!(error instanceof EmbeddedError) || error.reason !== 'checkpoint') throw error;
    // A live run may have pruned the checkpoint since its journal was read.
    const now = await stateOf(run);
    if (now.agent?.checkpoint.handle === state.agent?.checkpoint.handle) throw error;
    return agentAt(run, now, tools);
  }
}

/**
 * A run's agent as it was at one version: `agent@3`. Training states of older ones may have been pruned.
 * @throws ReattemptError `no-agent`; RunError, and the endpoint's own errors
 */
export async function agentNamed(run: RunReader, name: string, tools: AgentTools): Promise<OpenAgent> {
  for await (const event of run.events()) {
    if (event.type === 'run.started' && event.agent.name === name)
      return agentAt(run, { agent: { version: event.agent, checkpoint: event.checkpoints.agent } }, tools);
    if (event.type === 'agent.updated' && event.version.name === name) return agentAt(run, { agent: event }, tools);
  }
  throw new ReattemptError('no-agent', `This run has no ${name}.`, 'Its versions are agent@0 and one an update.');
}

/** The embedded agent as it is shipped. @throws EmbeddedError */
export function shippedAgent(experiment: Experiment, tools: AgentTools): Promise<OpenAgent> {
  const endpoint = { kind: 'embedded', weights: 'agent' } as const;
  return untrainedAgent({ ...experiment, endpoints: { ...experiment.endpoints, agent: endpoint } }, tools);
}

/** The agent that an experiment would begin with. @throws the endpoint's own errors */
export const untrainedAgent = (experiment: Experiment, tools: AgentTools): Promise<OpenAgent> =>
  untrainedPolicy(experiment, 'agent', tools);

/** A policy that an experiment would begin with. @throws the endpoint's own errors */
export async function untrainedPolicy(experiment: Experiment, role: Role, tools: AgentTools): Promise<OpenAgent> {
  const opened = await openAside(experiment.endpoints[role], role, '', tools);
  try {
    return { ...opened, version: await opened.policy.publish(`${role}@0`) };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Of a run's state, what opens its agent. */
interface AgentState {
  agent: Pick<NonNullable<RunState['agent']>, 'version' | 'checkpoint'> | null;
}

async function stateOf(run: RunReader): Promise<RunState> {
  const fold = new StateFold();
  for await (const event of run.events()) fold.add(event);
  return fold.state;
}

async function agentAt(run: RunReader, { agent }: AgentState, tools: AgentTools): Promise<OpenAgent> {
  if (agent === null) {
    const remedy = 'Choose the agent of another run, or wait until this one has begun.';
    throw new ReattemptError('no-agent', 'This run has no agent yet.', remedy);
  }
  const { experiment, imported } = run.manifest;
  if (imported !== null) {
    const remedy = 'Choose the agent of another run.';
    throw new ReattemptError('no-agent', 'This run was imported: its agent is not here.', remedy);
  }
  if (experiment.endpoints.agent.kind !== 'embedded') {
    // A published version stays on its server: whoever knows its handle may sample from it.
    const opened = await openAside(experiment.endpoints.agent, 'agent', run.id, tools);
    return { ...opened, version: agent.version };
  }
  const policy = await openPolicy(experiment.endpoints.agent, 'agent', needsIn(run.dir, tools));
  try {
    const newest = await policy.restore(agent.checkpoint);
    return { policy: newest, version: await newest.publish(agent.version.name), close: () => newest.dispose() };
  } finally {
    await policy.dispose();
  }
}

/**
 * In a folder of its own: what the run notes of its server, and the numbers of its requests, stay the run's.
 * @param name of the run: what it has loaded on its server is found by it
 */
async function openAside(endpoint: Endpoint, role: Role, name: string, tools: AgentTools) {
  const scratch = await mkdtemp(join(tmpdir(), 'genenv-agent-'));
  const remove = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  try {
    const dir = join(scratch, name);
    await mkdir(join(dir, 'endpoints'), { recursive: true });
    const policy = await openPolicy(endpoint, role, needsIn(dir, tools));
    const close = async (): Promise<void> => {
      await policy.dispose();
      await remove();
    };
    return { policy, close };
  } catch (error) {
    await remove();
    throw error;
  }
}

function needsIn(dir: string, { dist, time = machineTime, log, keys, signal }: AgentTools) {
  return { dir, dist, time, schedulers: new Schedulers(time), log, keys, signal };
}
