/** A second instance of a run's agent at its newest published version, which leaves the run and its server as they are. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { EmbeddedError } from '../../endpoints/embedded/errors.ts';
import { machineTime, type Time } from '../../endpoints/time.ts';
import type { Clock, Log, Policy, PolicyVersion } from '../../engine/ports.ts';
import { StateFold, type RunState } from '../../engine/state.ts';
import { deletedSaves } from '../../runs/journal/deletedSaves.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Keys } from '../access/keys.ts';
import { openPolicy } from './openPolicy.ts';
import { ReattemptError } from './reattemptError.ts';
import { Schedulers } from './schedulers.ts';
import { versionsOf, type KnownVersion } from './versionsOf.ts';
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
  /** Closes it, and removes its files. */
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
 * A run's policy as it was at one version: `agent@3`, `environment@1`.
 * @throws ReattemptError `no-agent`, `not-kept`; RunError, and the endpoint's own errors
 */
export async function policyNamed(run: RunReader, name: string, tools: AgentTools): Promise<OpenAgent> {
  const versions = await versionsOf(run);
  const found = versions.find(({ version }) => version.name === name);
  const samples = versions.filter(({ kept }) => kept).map(({ version }) => version.name);
  const remedy = samples.length === 0 ? '' : l10n.t('These can: {0}.', samples.join(', '));
  if (found === undefined) throw new ReattemptError('no-agent', l10n.t('This run has no {0}.', name), remedy);
  if (!found.kept && !found.deleted) {
    const why = l10n.t('the run keeps the weights of the first version, of the last two epochs and of some between');
    throw new ReattemptError('not-kept', l10n.t('{0} cannot sample any more: {1}.', name, why), remedy);
  }
  return policyAt(run, found, tools);
}

/** The shipped embedded agent. @throws EmbeddedError */
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

/** The part of a run's state that opens its agent. */
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
    const remedy = l10n.t('Choose the agent of another run, or wait until this one has begun.');
    throw new ReattemptError('no-agent', l10n.t('This run has no agent yet.'), remedy);
  }
  return policyAt(run, { role: 'agent', ...agent }, tools);
}

async function policyAt(
  run: RunReader,
  { role, version, checkpoint }: Pick<KnownVersion, 'role' | 'version' | 'checkpoint'>,
  tools: AgentTools,
): Promise<OpenAgent> {
  const { experiment, imported } = run.manifest;
  if (imported !== null) {
    const remedy = l10n.t('Choose the agent of another run.');
    throw new ReattemptError('no-agent', l10n.t('This run was imported: its agent is not here.'), remedy);
  }
  const endpoint = experiment.endpoints[role];
  if (deletedSaves(await run.sessions()).has(version.handle)) {
    const why = l10n.t('its save was deleted on the server');
    const others = (await versionsOf(run)).filter(({ kept }) => kept).map(({ version: { name } }) => name);
    const remedy = others.length === 0 ? '' : l10n.t('These can: {0}.', others.join(', '));
    throw new ReattemptError('not-kept', l10n.t('{0} cannot sample any more: {1}.', version.name, why), remedy);
  }
  if (endpoint.kind !== 'embedded') {
    // A published version stays on its server: its handle is enough to sample from it.
    const opened = await openAside(endpoint, role, run.id, tools);
    return { ...opened, version };
  }
  const policy = await openPolicy(endpoint, role, needsIn(run.dir, tools));
  try {
    const restored = await policy.restore(checkpoint);
    return { policy: restored, version: await restored.publish(version.name), close: () => restored.dispose() };
  } finally {
    await policy.dispose();
  }
}

/**
 * In a separate folder: the run's notes on its server, and its request numbers, stay unchanged.
 * @param name of the run: identifies its state on the server
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
