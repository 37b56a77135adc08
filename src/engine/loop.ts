/** The state and ports that every phase of the loop works with. */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../shared/experiment/schema.ts';
import type { DomainPart } from '../shared/experiment/tasks/domains.ts';
import type { Task } from '../shared/records/task.ts';
import { LoopError } from './errors.ts';
import type { Counts } from './math/divergence.ts';
import type { Meter } from './spending/meter.ts';
import type { SharedRuns } from './math/sharedRuns.ts';
import type { Policy, PolicyVersion, Ports, TrainablePolicy } from './ports.ts';
import type { LearnerState, RunState } from './state.ts';

/** One of the two policies while the loop runs: its trainable form, its newest version, and where it started. */
export interface Learner {
  policy: Policy;
  version: PolicyVersion;
  /** Same endpoint or another instance of it; only ever scored and sampled. */
  initial: { policy: Policy; version: PolicyVersion };
  updates: number;
}

export interface Loop {
  /** In force now: the run's own settings with the changes made since, and with the epoch's α. */
  experiment: Experiment;
  /** The same with the α that is set: each epoch's own is made from it. */
  set: Experiment;
  readonly ports: Ports;
  /** Where the run has several domains: each with its share of every batch. */
  readonly domains: readonly DomainPart[] | null;
  /** Budgets of money and hours. */
  readonly meter: Meter;
  readonly agent: Learner;
  readonly environment: Learner;
  /** As people left them, without those they excluded. */
  base: readonly Task[];
  readonly validation: readonly Task[];
  /** Fingerprints of the whole validation split, whether or not this run validates on all of it. */
  readonly heldOut: ReadonlySet<string>;
  /** Wordings of held-out tasks, of the run's benchmark and of its test sets; null where none is refused by its words. */
  readonly measured: SharedRuns | null;
  /** Fingerprints of base tasks and of accepted tasks, by the scope of `generation.duplicates`. */
  readonly seen: Set<string>;
  /**
   * Word counts of the texts of the first and the newest epoch, filled on demand: by domain ('' for all together), then
   * by epoch.
   */
  readonly wordCounts: Map<string, Map<number, Counts>>;
  /** Given tasks as people left them by this epoch, without those they excluded. */
  edited(tasks: readonly Task[]): readonly Task[];
  /** Tasks of an epoch as people left them, read once. */
  tasksOf(epoch: number): Promise<readonly Task[]>;
  /** Tasks an epoch added to the agent pool: accepted, with at least one valid trace. */
  poolOf(epoch: number): Promise<readonly Task[]>;
  /** Drops cached records of an epoch after they have grown. */
  forget(epoch: number): void;
  state: RunState;
}

/** Seconds a phase took, by the run's clock, to the millisecond. */
export async function timed<T>(
  loop: { ports: Pick<Ports, 'clock'> },
  work: () => Promise<T>,
): Promise<{ result: T; seconds: number }> {
  const start = loop.ports.clock.now();
  const result = await work();
  return { result, seconds: (loop.ports.clock.now() - start) / 1000 };
}

/** @throws LoopError `not-trainable` when an endpoint lacks what a step-wise update needs. */
export function trainable(learner: Pick<Learner, 'policy'>, role: string): TrainablePolicy {
  const { policy } = learner;
  if (!isTrainable(policy)) {
    throw new LoopError(
      'not-trainable',
      l10n.t(
        'The {0} policy\'s endpoint cannot be trained step by step (mode "{1}"). Choose an endpoint that can, or a mode that leaves the {0} frozen.',
        role,
        policy.capabilities.mode,
      ),
    );
  }
  return policy;
}

function isTrainable(policy: Policy): policy is TrainablePolicy {
  return (
    policy.accumulate !== undefined &&
    policy.step !== undefined &&
    policy.score !== undefined &&
    policy.render !== undefined
  );
}

/** The two learners, at the journal's newest checkpoints: on a fresh run the policies as they are. */
export async function learnerAt(policy: Policy, state: LearnerState, resumed: boolean): Promise<Learner> {
  if (!resumed) {
    return { policy, version: state.version, initial: { policy, version: state.version }, updates: 0 };
  }
  const first = await policy.restore(state.initial.checkpoint);
  const initial = { policy: first, version: await first.publish(state.initial.version.name) };
  if (state.updates === 0) return { policy: first, version: initial.version, initial, updates: 0 };
  const newest = await policy.restore(state.checkpoint);
  return { policy: newest, version: await newest.publish(state.version.name), initial, updates: state.updates };
}

/** Waits for both, so that a failure of one never leaves the other running behind the run's back. */
export async function bothOrNeither<A, B>(a: Promise<A> | A, b: Promise<B> | B): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return [await a, await b];
}

/** Mean of some numbers; null of none. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @throws LoopError `paused` when an immediate pause was requested. */
export function pauseIfAsked(loop: Pick<Loop, 'ports'>): void {
  if (loop.ports.signal.aborted) throw new LoopError('paused', 'Paused.');
}
