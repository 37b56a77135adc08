/** Opens the state that the phases share, and closes it. */
import { severalDomains } from '../shared/experiment/tasks/domains.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { smallest } from '../shared/extremes.ts';
import type { Task } from '../shared/records/task.ts';
import { withOverlay, type TaskOverlay } from '../shared/records/taskEdit.ts';
import { controlledAt } from './curricula/controlled.ts';
import { inEpoch } from './curricula/course.ts';
import { validationTasks } from './byDomain.ts';
import type { Learner, Loop } from './loop.ts';
import { Meter } from './spending/meter.ts';
import { SharedRuns, type MeasuredText } from './math/sharedRuns.ts';
import { inTextOrder } from './order/textOrder.ts';
import { overlaysIn } from './phases/edits.ts';
import type { PolicyVersion, Ports } from './ports.ts';
import type { RunState } from './state.ts';
import { wordingOf } from './wording.ts';
import { isPoolable } from '../shared/records/verdict.ts';

/** Epochs of task records held in memory: the longest environment buffer. */
const epochsHeld = 17;

type GivenTasks = Pick<Loop, 'base' | 'edited' | 'tasksOf' | 'poolOf' | 'forget'>;

export interface OpenLoop {
  loop: Loop;
  /** Applies the edits that are due at the start of an epoch. */
  enter(epoch: number): void;
  /** After an update was journaled: from now on that policy samples with its new version. */
  advance(role: 'agent' | 'environment', version: PolicyVersion): void;
  /** Given and written tasks as people left them at the start of an epoch. */
  tasksAt(epoch: number): GivenTasks;
  /** Fingerprints of base tasks and of what was accepted before an epoch, by the scope of `generation.duplicates`. */
  seenAt(epoch: number): Promise<Set<string>>;
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
  const fellOut = (epoch: number): readonly string[] => loop.state.dropped.get(epoch) ?? [];
  const late = (epoch: number): readonly string[] => loop.state.late.get(epoch) ?? [];
  let given = givenTasks({ ...ports, fellOut, late }, base, overlays);
  const ofBase = base.map((task) => domain.fingerprint(task));
  const ofEpochs = new Map<number, Promise<readonly string[]>>();
  const ofEpoch = (epoch: number): Promise<readonly string[]> => {
    const known = ofEpochs.get(epoch) ?? acceptedFingerprints(ports, epoch);
    ofEpochs.set(epoch, known);
    return known;
  };
  const seenIn = async (epochs: readonly number[]): Promise<Set<string>> => {
    const written = experiment.generation.duplicates === 'run' ? await Promise.all(epochs.map(ofEpoch)) : [];
    return new Set([...ofBase, ...written.flat()]);
  };
  const written = state.summaries.map(({ epoch }) => epoch);
  if (state.open?.generated) written.push(state.open.epoch);
  const loop: Loop = {
    experiment,
    set: experiment,
    ports,
    domains,
    meter: new Meter({ state: () => loop.state, experiment: () => loop.experiment, ports }),
    ...learners,
    base: given.base,
    validation,
    heldOut: new Set(domain.seeds('validation').map((task) => domain.fingerprint(task))),
    measured: measuredTexts(experiment, ports, base),
    seen: await seenIn(written),
    wordCounts: new Map(),
    edited: (some) => given.edited(some),
    tasksOf: (epoch) => given.tasksOf(epoch),
    poolOf: (epoch) => given.poolOf(epoch),
    forget: (epoch) => given.forget(epoch),
    state,
  };
  return {
    loop,
    enter(epoch) {
      loop.experiment = inEpoch(loop.set, epoch, controlledAt(loop.set.curriculum, loop.state, epoch));
      const next = overlaysIn(loop.state, epoch);
      if (next.size === 0 && overlays.size === 0) return;
      overlays = next;
      given = givenTasks({ ...ports, fellOut, late }, base, overlays);
      loop.base = given.base;
    },
    tasksAt: (epoch) => {
      const then = givenTasks({ ...ports, fellOut, late }, base, overlaysIn(loop.state, epoch));
      // An epoch that was sampled early is read anew by those that come to it later.
      const forget = (written: number): void => {
        then.forget(written);
        given.forget(written);
      };
      return { ...then, forget };
    },
    seenAt: (epoch) => seenIn(Array.from({ length: epoch - 1 }, (_, i) => i + 1)),
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

async function acceptedFingerprints({ domain, records }: Ports, epoch: number): Promise<readonly string[]> {
  return (await records.tasksOf(epoch)).filter(isAccepted).map((task) => domain.fingerprint(task));
}

/** The newest epochs' records are read once. */
function givenTasks(
  { records, fellOut, late }: Pick<Ports, 'records'> & Record<'fellOut' | 'late', (epoch: number) => readonly string[]>,
  base: readonly Task[],
  overlays: ReadonlyMap<string, TaskOverlay>,
): GivenTasks {
  const edited = (some: readonly Task[]): Task[] => some.map((task) => withOverlay(task, overlays.get(task.id)));
  const kept = (some: readonly Task[]): readonly Task[] =>
    overlays.size === 0 ? some : edited(some).filter(isAccepted);
  const tasks = new Held<readonly Task[]>(async (epoch) => edited(inTextOrder(await records.tasksOf(epoch))));
  const validIn = async (epoch: number): Promise<(task: Task) => boolean> => {
    const valid = new Set<string>();
    for (const trace of await records.tracesOf(epoch)) {
      if (trace.purpose === 'train' && isPoolable(trace.verdict)) valid.add(trace.task);
    }
    return ({ id }) => valid.has(id);
  };
  /** Late tasks join with the epoch in which they count. */
  const pools = new Held<readonly Task[]>(async (epoch) => {
    const accepted = (await tasks.of(epoch)).filter(isAccepted);
    const isValid = await validIn(epoch);
    const out = new Set([...fellOut(epoch), ...late(epoch)]);
    const own = accepted.filter(
      (task) => (isValid(task) && !out.has(task.id)) || overlays.get(task.id)?.admitted !== undefined,
    );
    const before = new Set(late(epoch - 1));
    if (before.size === 0) return own;
    const wasValid = await validIn(epoch - 1);
    const joined = (await tasks.of(epoch - 1)).filter((task) => isAccepted(task) && before.has(task.id));
    // Tasks that a person’s attempt admitted are in the pool of their own epoch.
    const isOpen = ({ id }: Task): boolean => overlays.get(id)?.admitted === undefined;
    return [...joined.filter((task) => wasValid(task) && isOpen(task)), ...own];
  });
  return {
    base: kept(base),
    edited: kept,
    tasksOf: (epoch) => tasks.of(epoch),
    poolOf: (epoch) => pools.of(epoch),
    forget: (epoch) => tasks.forget(epoch),
  };
}

/** Texts that must not be written because this or another run measures with them. */
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
}
