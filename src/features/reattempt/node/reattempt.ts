/** Attempts at one task, in its recorded and its edited form or from a turn of a trace, by an agent. Affects no run. */
import * as l10n from '@vscode/l10n';
import { bothOrNeither } from '../../../engine/loop.ts';
import { attempt } from '../../../engine/phases/attempts/attempt.ts';
import type { AttemptPlan, Attempters } from '../../../engine/phases/attempts/attemptPlan.ts';
import type { Verification } from '../../../engine/ports.ts';
import { seedFrom } from '../../../engine/random.ts';
import { appendReattempt, readReattempts, reattemptedTrace } from '../../../runs/records/reattemptsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import {
  rateOfTraces,
  reattemptAfter,
  reattemptTraceId,
  sideOfTrace,
  type Rate,
  type Reattempt,
  type ReattemptEvent,
  type Side,
} from '../../../shared/records/reattempt.ts';
import { isPlayTrace } from '../../../shared/records/play.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import {
  newestAgent,
  policyNamed,
  shippedAgent,
  type AgentTools,
  type OpenAgent,
} from '../../../launch/policies/newestAgent.ts';
import { openDomain } from '../../../launch/domains/openDomain.ts';
import { noInputs } from '../../../launch/inputs/inputs.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import { verifyOwn } from '../../../launch/scoring/verifyOwn.ts';
import { openGround, runNow, type RunNow } from '../../../launch/scoring/taskGround.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';
import { forkAt, type ForkAsk } from './forkAt.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { inEnglish } from '../../../launch/language.ts';

/**
 * The agent: that of the task's run, at its newest version, with any writer; another run's, for a task outside of it,
 * which stores nothing there; or the shipped embedded one.
 */
export type ReattemptAgent = { run: RunReader } | { borrowed: RunReader } | { shipped: true };

export interface ReattemptAsk {
  agent: ReattemptAgent;
  /** As it was recorded. */
  task: Task;
  /** As people left it; null where nothing was edited. */
  edited: Task | null;
  /** G, attempts a side. */
  attempts: number;
  author: string;
  /** A version of the run's policies, `agent@3`; absent for the agent's newest. */
  version?: string;
  /** Begins with the first turns of an attempt at the task; nothing else is edited then. */
  fork?: ForkAsk;
}

export interface ReattemptTools extends AgentTools {
  /** Stops it: attempts so far are kept. */
  signal: AbortSignal;
  /** At the start, after every attempt and at the end; `ratesOf` and `progressOf` of the records say how far it is. */
  onProgress?: (now: Reattempt) => void;
}

/**
 * Begins both sides with the same seeds. Attempts of a run's agent are kept in the run's `reattempts.jsonl` as they
 * finish. A stop is an outcome (`stopped`), as is an endpoint that gives up (`failed`, with its message).
 * @throws ReattemptError when it cannot begin; RunError, InputError, and the endpoint's own errors before it began
 */
export function reattempt(ask: ReattemptAsk, tools: ReattemptTools): Promise<Reattempt> {
  return inEnglish(() => reattempted(ask, tools));
}

async function reattempted(ask: ReattemptAsk, tools: ReattemptTools): Promise<Reattempt> {
  const home = await homeOf(ask);
  const run = runOf(ask.agent);
  if (ask.edited !== null) {
    const { edited } = ask;
    // Its plan binds the environment, but not a user's edit.
    verified(
      'run' in ask.agent
        ? await verifyOwn(ask.agent.run, edited, tools.dist)
        : await home.domain.verify({ ...edited, plan: '' }),
    );
  }
  const agent = await openAgent(run, ask, home, tools);
  try {
    return await new Reattempting(ask, tools, home, agent).run();
  } finally {
    await agent.close();
  }
}

function openAgent(run: RunReader | null, { version }: ReattemptAsk, { experiment }: Home, tools: AgentTools) {
  if (run === null) return shippedAgent(experiment, tools);
  return version === undefined ? newestAgent(run, tools) : policyNamed(run, version, tools);
}

const runOf = (agent: ReattemptAgent): RunReader | null =>
  'run' in agent ? agent.run : 'borrowed' in agent ? agent.borrowed : null;

/** The agent's surroundings. */
interface Home extends RunNow {
  recorded: Rate | null;
  /** Re-attempts that the run has already. */
  earlier: number;
  /** Where the run's re-attempts are kept; null where nothing is kept. */
  path: string | null;
}

async function homeOf({ agent, task, fork }: ReattemptAsk): Promise<Home> {
  const run = runOf(agent);
  if (run === null) {
    const experiment = presets.embedded;
    const domain = await openDomain(experiment, noInputs, { rules: await openScorer(null), writes: false });
    return { experiment, domain, epoch: 0, recorded: null, earlier: 0, dir: null, path: null };
  }
  const home = await runNow(run);
  if ('borrowed' in agent) return { ...home, recorded: null, earlier: 0, path: null };
  const path = runPaths(run.dir).reattempts;
  return {
    ...home,
    recorded: await recordedRate(run, task.id, fork?.trace),
    earlier: (await readReattempts(path)).reattempts.length,
    path,
  };
}

/** Of the attempts beside a forked one, null where it had none; else of the training attempts in the last epoch that has some. */
async function recordedRate(run: RunReader, task: string, forked: Trace | undefined): Promise<Rate | null> {
  if (forked !== undefined) {
    const again = await reattemptedTrace(runPaths(run.dir).reattempts, forked.id);
    const side = sideOfTrace(forked.id);
    if (again !== null && side !== null) return rateOfTraces(again.of.traces[side]);
    if (isPlayTrace(forked.id)) return null;
    const beside = await run.attemptsAt(task, forked.epoch);
    return rateOfTraces(beside.filter(({ purpose }) => purpose === forked.purpose));
  }
  for (const epoch of (await run.epochsAttempting(task)).reverse()) {
    const traces = await run.attemptsAt(task, epoch);
    const trained = traces.filter(({ purpose }) => purpose === 'train');
    if (trained.length > 0) return rateOfTraces(trained);
  }
  return null;
}

/** @throws ReattemptError `unverified` */
function verified(verification: Verification): void {
  if (verification.ok) return;
  const remedy = l10n.t('Correct it first: attempts could not be judged.');
  throw new ReattemptError('unverified', l10n.t('The edited task does not verify: {0}.', verification.note), remedy);
}

/** Ids distinguish re-attempts of one run from any process. */
const idOf = (now: number, earlier: number): string => `${now.toString(36)}${earlier.toString(36)}`;

/** One side, ready to be attempted. */
interface Prepared {
  attempters: Attempters;
  plan: AttemptPlan;
  close(): Promise<void>;
}

class Reattempting {
  readonly #ask: ReattemptAsk;
  readonly #tools: ReattemptTools;
  readonly #home: Home;
  readonly #agent: OpenAgent;
  readonly #begun: Extract<ReattemptEvent, { type: 'begun' }>;
  #now: Reattempt;

  constructor(ask: ReattemptAsk, tools: ReattemptTools, home: Home, agent: OpenAgent) {
    this.#ask = ask;
    this.#tools = tools;
    this.#home = home;
    this.#agent = agent;
    const at = tools.clock.now();
    const { task, edited, attempts, author, fork } = ask;
    this.#begun = {
      ...{ v: 1, type: 'begun', id: idOf(at, home.earlier), at, author, task: task.id, version: agent.version.name },
      ...{ group: attempts, temperature: home.experiment.rollouts.temperature, recorded: home.recorded },
      edited: edited === null ? null : textsOf(edited),
      ...(fork !== undefined && {
        attempted: textsOf(task),
        fork: { trace: fork.trace.id, turn: fork.turn, text: fork.text },
      }),
    };
    this.#now = { ...this.#begun, state: 'running', message: null, traces: { before: [], after: [] } };
  }

  async run(): Promise<Reattempt> {
    const { task, edited } = this.#ask;
    // An ask that cannot begin leaves no line behind.
    const after = await this.#prepared(edited ?? task, 'after');
    try {
      const before = edited === null ? null : await this.#prepared(task, 'before');
      try {
        await this.#keep(this.#begun);
        this.#tools.onProgress?.(this.#now);
        await this.#attempted(before, after);
      } finally {
        await before?.close();
      }
    } finally {
      await after.close();
    }
    return this.#now;
  }

  async #attempted(before: Prepared | null, after: Prepared): Promise<void> {
    try {
      await bothOrNeither(
        before === null ? null : attempt(before.attempters, before.plan),
        attempt(after.attempters, after.plan),
      );
      await this.#end('finished', null);
    } catch (error) {
      if (this.#tools.signal.aborted) await this.#end('stopped', null);
      else await this.#end('failed', messageOf(error));
    }
  }

  /** @throws ReattemptError `not-forkable`; InputError, and of a server EndpointError, KeyError */
  async #prepared(task: Task, side: Side): Promise<Prepared> {
    const { experiment, epoch } = this.#home;
    const { seed, rollouts } = experiment;
    const { fork, attempts: group } = this.#ask;
    const { close, ...ground } = await openGround(this.#home, task, this.#tools);
    const attempters: Attempters = {
      // Another draw than the run's own and than other re-attempts, begun at once included: the same on both sides.
      experiment: { seed: seedFrom(seed, 'reattempt', this.#begun.id), rollouts },
      agent: this.#agent,
      ports: {
        ...ground,
        signal: this.#tools.signal,
        records: {
          tracesOf: () => Promise.resolve([]),
          appendTraces: async (traces) => {
            for (const trace of traces) {
              const index = Number(/r(\d+)$/.exec(trace.id)?.[1] ?? 0);
              const id = reattemptTraceId(this.#now, side, index);
              await this.#add({ v: 1, id: this.#now.id, type: 'trace', side, trace: { ...trace, id } });
            }
          },
        },
      },
    };
    try {
      const given = fork === undefined ? undefined : forkAt(fork, ground.domain, task, this.#agent.version.name);
      const plan: AttemptPlan = {
        ...{ purpose: 'train', epoch, tasks: [task], group, minimum: 1, closed: false },
        ...{ temperature: rollouts.temperature, keepSequences: true },
        ...defined({ given }),
      };
      return { attempters, plan, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  async #end(state: 'finished' | 'stopped' | 'failed', message: string | null): Promise<void> {
    await this.#add({ v: 1, id: this.#now.id, type: 'ended', at: this.#tools.clock.now(), state, message });
  }

  async #add(event: Exclude<ReattemptEvent, { type: 'begun' }>): Promise<void> {
    await this.#keep(event);
    this.#now = reattemptAfter(this.#now, event);
    this.#tools.onProgress?.(this.#now);
  }

  async #keep(event: ReattemptEvent): Promise<void> {
    const { path } = this.#home;
    if (path !== null) await appendReattempt(path, event);
  }
}

const textsOf = ({ prompt, tools, evaluation, gold }: Task): NonNullable<Reattempt['edited']> => ({
  ...{ prompt, evaluation, gold },
  ...defined({ tools }),
});
