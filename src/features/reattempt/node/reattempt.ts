/** Attempts at one task, as it was recorded and as people left it, by an agent as it is now. No run is disturbed by it. */
import { careful } from '../../../engine/carefulScorer.ts';
import { bothOrNeither } from '../../../engine/loop.ts';
import { attempt, type Attempters } from '../../../engine/phases/attempts/attempt.ts';
import { StateFold } from '../../../engine/state.ts';
import type { Domain } from '../../../engine/ports.ts';
import { seedFrom } from '../../../engine/random.ts';
import { experimentNow } from '../../../runs/journal/experimentNow.ts';
import { appendReattempt, readReattempts } from '../../../runs/records/reattemptsFile.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { presets } from '../../../shared/experiment/presets.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import {
  rateOfTraces,
  reattemptAfter,
  reattemptTraceId,
  type Rate,
  type Reattempt,
  type ReattemptEvent,
  type Side,
} from '../../../shared/records/reattempt.ts';
import type { Task } from '../../../shared/records/task.ts';
import { newestAgent, shippedAgent, type AgentTools, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import { domainOf, openDomain } from '../../../launch/domains/openDomain.ts';
import { noInputs } from '../../../launch/inputs/inputs.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import { openOwnPrograms } from '../../../launch/scoring/openJudged.ts';
import { ReattemptError } from '../../../launch/policies/reattemptError.ts';

/**
 * Whose agent: that of the task's run, at its newest version, whoever writes the run now; a run's for a task that is not
 * of it, of which nothing is kept there; or the embedded one as it is shipped.
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
}

export interface ReattemptTools extends AgentTools {
  /** Stops it: what was attempted by then is kept. */
  signal: AbortSignal;
  /** At the start, after every attempt and at the end; `ratesOf` and `progressOf` of the records say how far it is. */
  onProgress?: (now: Reattempt) => void;
}

/**
 * Begins both sides with the same seeds. Attempts of a run's agent are kept in the run's `reattempts.jsonl` as they
 * finish. A stop is an outcome (`stopped`), as is an endpoint that gives up (`failed`, with its message).
 * @throws ReattemptError when it cannot begin; RunError, InputError, and the endpoint's own errors before it began
 */
export async function reattempt(ask: ReattemptAsk, tools: ReattemptTools): Promise<Reattempt> {
  const home = await homeOf(ask);
  if (ask.edited !== null) await verify(home.domain, ask.edited);
  const run = runOf(ask.agent);
  const agent = await (run === null ? shippedAgent(home.experiment, tools) : newestAgent(run, tools));
  try {
    return await new Reattempting(ask, tools, home, agent).run();
  } finally {
    await agent.close();
  }
}

const runOf = (agent: ReattemptAgent): RunReader | null =>
  'run' in agent ? agent.run : 'borrowed' in agent ? agent.borrowed : null;

/** What the agent works with. */
interface Home {
  experiment: Experiment;
  domain: Domain;
  /** Last finished epoch of the agent's run. */
  epoch: number;
  recorded: Rate | null;
  /** Re-attempts that the run has already. */
  earlier: number;
  /** The run's folder, and where its re-attempts are kept; null where nothing is kept. */
  dir: string | null;
  path: string | null;
}

async function homeOf({ agent, task }: ReattemptAsk): Promise<Home> {
  const run = runOf(agent);
  if (run === null) {
    const experiment = presets.embedded;
    const domain = await openDomain(experiment, noInputs, { rules: await openScorer(null), writes: false });
    return { experiment, domain, epoch: 0, recorded: null, earlier: 0, dir: null, path: null };
  }
  const fold = new StateFold();
  for await (const event of run.events()) fold.add(event);
  const experiment = experimentNow(run.manifest, fold.state);
  const { domain } = await domainOf(run);
  const home = { experiment, domain, epoch: fold.state.summaries.length, dir: run.dir };
  if ('borrowed' in agent) return { ...home, recorded: null, earlier: 0, path: null };
  const path = runPaths(run.dir).reattempts;
  return {
    ...home,
    recorded: await recordedRate(run, task.id),
    earlier: (await readReattempts(path)).reattempts.length,
    path,
  };
}

/** Of the training attempts in the last epoch that has some. */
async function recordedRate(run: RunReader, task: string): Promise<Rate | null> {
  for (const epoch of (await run.epochsAttempting(task)).reverse()) {
    const traces = await run.attemptsAt(task, epoch);
    const trained = traces.filter(({ purpose }) => purpose === 'train');
    if (trained.length > 0) return rateOfTraces(trained);
  }
  return null;
}

async function verify(domain: Domain, task: Task): Promise<void> {
  // Its plan is what the environment was to write; people need not keep to it.
  const verified = await domain.verify({ ...task, plan: '' });
  if (verified.ok) return;
  const remedy = 'Correct it first: attempts could not be judged.';
  throw new ReattemptError('unverified', `The edited task does not verify: ${verified.note}.`, remedy);
}

/** Ids tell re-attempts of one run apart, whoever asks for them. */
const idOf = (now: number, earlier: number): string => `${now.toString(36)}${earlier.toString(36)}`;

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
    const { task, edited, attempts, author } = ask;
    this.#begun = {
      ...{ v: 1, type: 'begun', id: idOf(at, home.earlier), at, author, task: task.id, version: agent.version.name },
      ...{ group: attempts, temperature: home.experiment.rollouts.temperature, recorded: home.recorded },
      edited: edited === null ? null : textsOf(edited),
    };
    this.#now = { ...this.#begun, state: 'running', message: null, traces: { before: [], after: [] } };
  }

  async run(): Promise<Reattempt> {
    const { task, edited } = this.#ask;
    await this.#keep(this.#begun);
    this.#tools.onProgress?.(this.#now);
    try {
      await bothOrNeither(
        edited === null ? null : this.#attempt(task, 'before'),
        this.#attempt(edited ?? task, 'after'),
      );
      await this.#end('finished', null);
    } catch (error) {
      if (this.#tools.signal.aborted) await this.#end('stopped', null);
      else await this.#end('failed', error instanceof Error ? error.message : String(error));
    }
    return this.#now;
  }

  async #attempt(task: Task, side: Side): Promise<void> {
    const { experiment, domain, epoch, earlier, dir } = this.#home;
    const { seed, rollouts } = experiment;
    const { dist } = this.#tools;
    const rules = await openScorer(dist, [task]);
    const own =
      dir === null
        ? null
        : await openOwnPrograms(experiment, { asks: this.#tools, dist: this.#tools.dist, dir, rules }, task);
    const judge = own?.judge ?? null;
    const attempters: Attempters = {
      // Another draw than the run's own and than re-attempts before: the same on both sides.
      experiment: { seed: seedFrom(seed, 'reattempt', earlier), rollouts },
      agent: this.#agent,
      ports: {
        domain: own?.domain ?? domain,
        scorer: careful(rules),
        ...(judge === null ? {} : { judge }),
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
    const { attempts: group } = this.#ask;
    const plan = { purpose: 'train', epoch, tasks: [task], group, minimum: 1, closed: false } as const;
    try {
      await attempt(attempters, { ...plan, temperature: rollouts.temperature, keepSequences: true });
    } finally {
      await own?.close();
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
  ...(tools === undefined ? {} : { tools }),
});
