/** Puts together what the phases share, and lets go of it again. */
import { severalDomains } from '../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { smallest } from '../shared/extremes.ts';
import type { Task } from '../shared/records/task.ts';
import { withOverlay, type TaskOverlay } from '../shared/records/taskEdit.ts';
import { validationTasks } from './byDomain.ts';
import type { Learner, Loop } from './loop.ts';
import { SharedRuns, type MeasuredText } from './math/sharedRuns.ts';
import { overlaysIn } from './phases/edits.ts';
import type { PolicyVersion, Ports } from './ports.ts';
import type { RunState } from './state.ts';
import { wordingOf } from './wording.ts';

/** Epochs of task records held in memory: the longest environment buffer. */
const epochsHeld = 17;

export interface OpenLoop {
  loop: Loop;
  /** Before an epoch goes on: the edits that hold in it take hold. */
  enter(epoch: number): void;
  /** After an update was journaled: from now on that policy samples with its new version. */
  advance(role: 'agent' | 'environment', version: PolicyVersion): void;
  /** Lets go of the instances that resuming made; those that were passed in belong to the caller. */
  close(): Promise<void>;
}

export async function openLoop(
  experiment: Experiment,
  ports: Ports,
  state: RunState,
  learners: { agent: Learner; environment: Learner },
): Promise<OpenLoop> {
  const { domain } = ports;
  const base = domain.seeds('base');
  const domains = severalDomains(experiment);
  const validation = validationTasks(domain.seeds('validation'), domains, experiment.validation.tasks);
  let overlays: ReadonlyMap<string, TaskOverlay> = new Map();
  const edited = (some: readonly Task[]): Task[] => some.map((task) => withOverlay(task, overlays.get(task.id)));
  const tasks = new Held<readonly Task[]>(async (epoch) => edited(await ports.records.tasksOf(epoch)));
  const pools = new Held<readonly Task[]>(async (epoch) => {
    const valid = new Set<string>();
    for (const trace of await ports.records.tracesOf(epoch)) {
      if (trace.purpose === 'train' && trace.verdict.valid && trace.verdict.error === undefined) valid.add(trace.task);
    }
    return (await tasks.of(epoch)).filter((task) => isAccepted(task) && valid.has(task.id));
  });
  const seen = new Set(base.map((task) => domain.fingerprint(task)));
  if (experiment.generation.duplicates === 'run') {
    const written = state.summaries.map(({ epoch }) => epoch);
    if (state.open?.generated) written.push(state.open.epoch);
    for (const epoch of written) {
      for (const task of await ports.records.tasksOf(epoch)) if (isAccepted(task)) seen.add(domain.fingerprint(task));
    }
  }
  const loop: Loop = {
    experiment,
    ports,
    domains,
    ...learners,
    base,
    validation,
    heldOut: new Set(domain.seeds('validation').map((task) => domain.fingerprint(task))),
    measured: measuredTexts(experiment, ports, base),
    seen,
    wordCounts: new Map(),
    edited: (some) => (overlays.size === 0 ? some : edited(some).filter(isAccepted)),
    tasksOf: (epoch) => tasks.of(epoch),
    poolOf: (epoch) => pools.of(epoch),
    forget: (epoch) => tasks.forget(epoch),
    state,
  };
  return {
    loop,
    enter(epoch) {
      const next = overlaysIn(loop.state, epoch);
      if (next.size === 0 && overlays.size === 0) return;
      overlays = next;
      loop.base = loop.edited(base);
      tasks.clear();
      pools.clear();
    },
    advance(role, version) {
      loop[role].version = version;
      loop[role].updates += 1;
    },
    async close() {
      const given = new Set([ports.agent, ports.environment]);
      const made = new Set(Object.values(learners).flatMap(({ policy, initial }) => [policy, initial.policy]));
      for (const policy of made) if (!given.has(policy)) await policy.dispose();
    },
  };
}

/** What must not be written because the run, or another one, measures with it. */
function measuredTexts(
  { generation: { heldOutRun } }: Experiment,
  { domain, benchmark, testSets = [] }: Ports,
  base: readonly Task[],
): SharedRuns | null {
  if (heldOutRun === null) return null;
  const texts = function* (): Generator<MeasuredText> {
    for (const task of domain.seeds('validation'))
      yield { id: `the held-out task ${task.id}`, text: wordingOf(domain, task) };
    if (benchmark !== undefined) {
      for (const task of benchmark.tasks)
        yield { id: `the task ${task.id} of ${benchmark.name}`, text: wordingOf(benchmark.domain, task) };
    }
    for (const { of, id, text } of testSets) yield { id: `the task ${id} of ${of}`, text };
  };
  return new SharedRuns(
    texts(),
    base.map((task) => wordingOf(domain, task)),
    heldOutRun,
  );
}

const isAccepted = ({ status }: Task): boolean => status === 'accepted';

/** The newest epochs' records, each read once. */
class Held<T> {
  readonly #read: (epoch: number) => Promise<T>;
  readonly #epochs = new Map<number, Promise<T>>();

  constructor(read: (epoch: number) => Promise<T>) {
    this.#read = read;
  }

  of(epoch: number): Promise<T> {
    const known = this.#epochs.get(epoch);
    if (known !== undefined) return known;
    const reading = this.#read(epoch);
    this.#epochs.set(epoch, reading);
    const oldest = smallest(this.#epochs.keys());
    if (this.#epochs.size > epochsHeld) this.#epochs.delete(oldest);
    return reading;
  }

  forget(epoch: number): void {
    this.#epochs.delete(epoch);
  }

  clear(): void {
    this.#epochs.clear();
  }
}
