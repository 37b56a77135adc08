/** From an experiment and a run folder to the engine's ports. */
import type { Changes, Clock, Edits, Journal, Log, Policy, Ports, Progress, Records } from '../engine/ports.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { Stretch } from '../engine/epochTime.ts';
import type { UnderWay } from '../engine/ports/underWay.ts';
import { openBenchmark } from './inputs/evaluation.ts';
import { readInputs } from './inputs/inputs.ts';
import { machineTime, type Time } from '../endpoints/time.ts';
import type { Keys } from './access/keys.ts';
import { openKeptCurriculum } from './scoring/curriculum.ts';
import { openJudged } from './scoring/openJudged.ts';
import { isRemote } from './access/address.ts';
import { openScorer } from './scoring/openScorer.ts';
import { openEmbedder } from './policies/openEmbedder.ts';
import { openPolicy } from './policies/openPolicy.ts';
import { RunSlots } from './policies/runSlots.ts';
import { Schedulers } from './policies/schedulers.ts';
import { readRooms, type SettledRoom } from './policies/settledRooms.ts';
import { readTestSets } from './inputs/testSets.ts';
import type { Role } from './policies/weightFiles.ts';
import type { PolicyNeeds } from './policies/policyNeeds.ts';
import { trainsEnvironment } from '../shared/experiment/trains.ts';
import { defined } from '../shared/defined.ts';

export interface OpenPorts extends Ports {
  /** The room of each server now. */
  rooms(): SettledRoom[];
  close(): Promise<void>;
}

/** Where a run's inputs, checkpoints and records go: its writer, or a folder that is only a rehearsal. */
export interface RunHome extends Journal, Records {
  readonly dir: string;
  /** Stands before anything else that is written there. @throws RunError `in-use` */
  confirm(): Promise<void>;
}

export interface PortOptions {
  dist: URL;
  clock: Clock;
  stoodStill?: readonly Stretch[];
  /** The last epoch that a branch shares with its parent. */
  shared?: number;
  /** Waits, timeouts and latencies of endpoints; the machine's when absent. */
  time?: Time;
  /** Tries of what finds no server there; as many as of others when absent. */
  triesUnreachable?: number;
  /** Where it can be seen how busy the endpoints are; its own when absent. */
  schedulers?: Schedulers;
  log: Log;
  keys: Keys;
  onProgress?: (progress: Progress) => void;
  underWay?: UnderWay;
  signal: AbortSignal;
  boundary?: AbortSignal;
  changes?: Changes;
  edits?: Edits;
}

/** @throws InputError, and the endpoint's own errors when something the experiment names cannot be used. */
export async function openPorts(experiment: Experiment, home: RunHome, options: PortOptions): Promise<OpenPorts> {
  const inputs = await readInputs(home.dir, experiment);
  const scorer = await openScorer(options.dist, inputs.seeds, inputs.heldOut, inputs.offline);
  const benchmark = await openBenchmark(experiment, home.dir, options.dist);
  const testSets = await readTestSets(experiment, home.dir);
  const { dir } = home;
  const fence = (): Promise<void> => home.confirm();
  const { time = machineTime } = options;
  const { schedulers = new Schedulers(time) } = options;
  const asks = { ...options, time, silences: schedulers.silences };
  const embedder = openEmbedder(experiment, asks);
  const judged = await openJudged(experiment, { asks, dist: options.dist, dir, fence, inputs, rules: scorer });
  const { domain, judge } = judged;
  const needs = {
    ...options,
    dir,
    fence,
    reward: experiment.reward,
    time,
  };
  const slots = new RunSlots(schedulers, await readRooms(dir));
  const opened: Policy[] = [];
  let curriculum: Awaited<ReturnType<typeof openKeptCurriculum>> = null;
  const closePrograms = async (): Promise<void> => {
    await judged.close();
    curriculum?.close();
  };
  try {
    curriculum = await openKeptCurriculum(experiment, dir, options.dist);
    for (const name of ['agent', 'environment'] as const) {
      const endpoint = experiment.endpoints[name];
      const own = slots.of(name, 'model' in endpoint ? endpoint.model : '');
      opened.push(await openPolicy(endpoint, name, { ...needs, schedulers: own, ...trainingOf(experiment, name) }));
    }
    const [agent, environment] = opened;
    if (agent === undefined || environment === undefined) throw new Error('Unreachable: two policies were opened.');
    return {
      agent,
      environment,
      domain,
      scorer,
      ...defined({ rewardProgram: curriculum ?? undefined }),
      ...defined({ judge: judge ?? undefined, benchmark: benchmark ?? undefined, testSets: testSets ?? undefined }),
      ...defined({ embedder: embedder ?? undefined }),
      journal: home,
      records: home,
      clock: options.clock,
      ...defined({ stoodStill: options.stoodStill, shared: options.shared }),
      log: options.log,
      slots: slots.asPort(),
      rooms: () => slots.rooms,
      signal: options.signal,
      ...defined({
        changes: options.changes,
        edits: options.edits,
        offlineTasks: inputs.offline ?? undefined,
        onProgress: options.onProgress,
        underWay: options.underWay,
        boundary: options.boundary,
      }),
      close: async () => {
        embedder?.close();
        await closePrograms();
        await Promise.all(opened.map((policy) => policy.dispose()));
      },
    };
  } catch (error) {
    await closePrograms();
    await Promise.all(opened.map((policy) => policy.dispose()));
    throw error;
  }
}

/** Whether a policy is trained, and whether the other one is trained on the same server. */
function trainingOf(experiment: Experiment, name: Role): Pick<PolicyNeeds, 'trained'> {
  const { agent, endpoints } = experiment;
  const trains = { agent: agent.train, environment: trainsEnvironment(experiment) };
  if (!trains[name]) return {};
  const [one, other] = [endpoints.agent, endpoints.environment].map((endpoint) =>
    isRemote(endpoint) ? endpoint.url.replace(/\/+$/, '') : null,
  );
  return { trained: trains.agent && trains.environment && one === other && one !== null ? 'together' : 'alone' };
}
