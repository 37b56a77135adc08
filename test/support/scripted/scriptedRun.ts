/** A whole run in memory: scripted policies, the ladder, a journal and records that a test can cut anywhere. */
import { coevolve } from '../../../src/engine/coevolve.ts';
import type { Policy, Ports, Progress } from '../../../src/engine/ports.ts';
import { applyEvent, emptyState, type RunState } from '../../../src/engine/state.ts';
import { withPreset } from '../../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../../src/shared/experiment/schema.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';
import type { CompletionRecord } from '../../../src/shared/records/completionRecord.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { BatchScriptedPolicy, Cluster } from './batchPolicy.ts';
import { LadderDomain, LadderScorer } from './ladder.ts';
import { ScriptedPolicy, type Bill } from './scriptedPolicy.ts';

/** Everything a run leaves: what a crash cannot take. */
export class MemoryRun {
  events: JournalEvent[] = [];
  tasks: Task[] = [];
  traces: Trace[] = [];
  completions: CompletionRecord[] = [];
  readonly checkpoints = { agent: new Map<string, number>(), environment: new Map<string, number>() };
  readonly bill: Bill = { samples: [] };
  readonly cluster = new Cluster();

  /** A copy cut to the first so many events, tasks and traces, as a crash at that moment would leave it. */
  cut(events: number, tasks: number, traces: number, completions = this.completions.length): MemoryRun {
    const run = new MemoryRun();
    run.events = this.events.slice(0, events);
    run.tasks = this.tasks.slice(0, tasks);
    run.traces = this.traces.slice(0, traces);
    run.completions = this.completions.slice(0, completions);
    for (const [name, weight] of this.checkpoints.agent) run.checkpoints.agent.set(name, weight);
    for (const [name, weight] of this.checkpoints.environment) run.checkpoints.environment.set(name, weight);
    return run;
  }

  get state(): RunState {
    return this.events.reduce(applyEvent, emptyState);
  }

  /** The journal as golden text: times aside, byte for byte. */
  get text(): string {
    return this.events.map((event) => JSON.stringify({ ...event, at: 0 })).join('\n');
  }
}

type Overrides = { [K in keyof Experiment]?: Experiment[K] extends object ? Partial<Experiment[K]> : Experiment[K] };

/** The embedded preset made small enough to read. */
export function smallExperiment(overrides: Overrides = {}): Experiment {
  const small = {
    preset: 'embedded',
    name: 'small',
    epochs: 3,
    ...overrides,
    generation: { families: 3, variations: 2, staticFamilies: 4, staticVariations: 3, ...overrides.generation },
    rollouts: { group: 4, ...overrides.rollouts },
    curriculum: { beta: 4, lambda: 1, ...overrides.curriculum },
    agent: { learningRate: 0.4, minibatch: 8, ...overrides.agent },
    environment: { learningRate: 0.02, minibatch: 8, ...overrides.environment },
    validation: { tasks: 6, temperature: 0, ...overrides.validation },
  };
  return experimentSchema.parse(withPreset(small));
}

export interface RunOptions {
  /** Whose trainer takes jobs instead of steps. */
  jobs?: readonly ('agent' | 'environment')[];
  ports?: Partial<Ports>;
  /** Called before each record and event; throwing is a crash at that moment. */
  beforeAppend?: (kind: 'event' | 'task' | 'trace' | 'completion', run: MemoryRun) => void;
  onProgress?: (progress: Progress) => void;
}

/** Runs an experiment to its end (or to where it is stopped) on top of what `run` already holds. */
export async function runScripted(
  experiment: Experiment,
  run = new MemoryRun(),
  options: RunOptions = {},
): Promise<MemoryRun> {
  const before = options.beforeAppend ?? (() => undefined);
  const ports: Ports = {
    agent: policyOf('agent', 4, run, options),
    environment: policyOf('environment', 5.4, run, options),
    domain: new LadderDomain(),
    scorer: new LadderScorer(),
    journal: {
      append: (event) => {
        before('event', run);
        run.events.push(event);
        return Promise.resolve();
      },
    },
    records: {
      appendTasks: (tasks) => {
        before('task', run);
        run.tasks.push(...tasks);
        return Promise.resolve();
      },
      appendTraces: (traces) => {
        // A crash leaves the first of those that are written together.
        for (const trace of traces) {
          before('trace', run);
          run.traces.push(trace);
        }
        return Promise.resolve();
      },
      appendCompletions: (completions) => {
        before('completion', run);
        run.completions.push(...completions);
        return Promise.resolve();
      },
      completionsOf: (epoch) => Promise.resolve(run.completions.filter((completion) => completion.epoch === epoch)),
      tasksOf: (epoch) => Promise.resolve(run.tasks.filter((task) => task.epoch === epoch)),
      tracesOf: (epoch) => Promise.resolve(run.traces.filter((trace) => trace.epoch === epoch)),
    },
    clock: { now: () => 0 },
    log: { info: () => undefined, warn: () => undefined },
    signal: new AbortController().signal,
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    ...options.ports,
  };
  const events = coevolve(experiment, ports, run.state);
  while ((await events.next()).done !== true);
  return run;
}

function policyOf(role: 'agent' | 'environment', weight: number, run: MemoryRun, { jobs }: RunOptions): Policy {
  const policy = new ScriptedPolicy(role, weight, run.checkpoints[role], run.bill);
  return jobs?.includes(role) === true ? new BatchScriptedPolicy(role, policy, run.cluster) : policy;
}
