/**
 * Sampling that does not wait for updates (`rollouts.staleness` k > 0): while epoch e is learned from, the k epochs after it
 * are written and attempted, each by the versions that stood at the start of epoch e − k + 1 … e. Which version samples an
 * epoch depends on its number and on where a branch began, never on who was faster, so that a run and its resumption sample the same. The
 * agent's loss corrects for the older version: its ratios are to the log-probabilities of sampling.
 *
 * One-step off-policy training is described by Noukhovitch et al. (arXiv 2410.18252).
 */
import type { Experiment } from '../../shared/experiment/schema.ts';
import { inEpoch } from '../curricula/course.ts';
import { lateShare } from '../late/places.ts';
import { lateOfShared } from '../late/sharedLate.ts';
import { noneLate, type LateGroups } from '../late/lateGroups.ts';
import type { Learner, Loop } from '../loop.ts';
import type { OpenLoop } from '../openLoop.ts';
import { EarlyAttempts } from '../phases/attempts/earlyAttempts.ts';
import { attemptLate, attemptOnTime, type OnTime } from '../phases/attempts/attemptOnTime.ts';
import { attemptRound } from '../phases/attempts/attemptRound.ts';
import { chooseBatch } from '../phases/batch.ts';
import { familiesToWrite, type Writing } from '../phases/families.ts';
import { generate, type Generated } from '../phases/generate.ts';
import { wholeBatch, type Round } from '../phases/rounds.ts';
import type { CheckpointRef, Policy, PolicyVersion } from '../ports.ts';
import type { PublishedVersion } from '../state.ts';
import { experimentAtStart, sampledFrom, stateAtStart, versionAtStart } from './asOf.ts';

type Role = 'agent' | 'environment';
type Sampler = Pick<Learner, 'policy' | 'version'>;

interface Written {
  view: Loop;
  writing: Writing | null;
  /** Null where nothing is written, or its event is journaled already. */
  generated: Generated | null;
  early: EarlyAttempts | null;
}

/** An epoch that is sampled beside others. */
export interface Sampled {
  /** The versions that write and attempt it. */
  versions: Record<Role, PolicyVersion>;
  written: Promise<Written>;
  attempted: Promise<{ round: Round } & OnTime>;
  /** Late groups of the epoch before, which it counts. */
  before: Promise<LateGroups>;
}

export class Ahead {
  readonly #open: OpenLoop;
  /** The run's own, before any change. */
  readonly #experiment: Experiment;
  /** The last epoch that a branch shares with its parent; 0 for a run that is no branch. */
  readonly #shared: number;
  readonly #epochs = new Map<number, Sampled>();
  /** Who can sample a version, by its name. */
  readonly #samplers: Record<Role, Map<string, Promise<Sampler>>>;
  readonly #restored: Policy[] = [];
  readonly #stopped = new AbortController();
  /** Settles once tasks are written that later epochs attempt. */
  #writing: Promise<unknown> = Promise.resolve();
  /** The epoch that the loop waits for: only its progress is shown. */
  #watched = 0;

  constructor(open: OpenLoop, experiment: Experiment) {
    this.#open = open;
    this.#experiment = experiment;
    this.#shared = open.loop.ports.shared ?? 0;
    const known = ({ policy, version, initial }: Learner): Map<string, Promise<Sampler>> =>
      new Map([initial, { policy, version }].map((sampler) => [sampler.version.name, Promise.resolve(sampler)]));
    this.#samplers = { agent: known(open.loop.agent), environment: known(open.loop.environment) };
  }

  /** An epoch begins: those that may be sampled beside it begin too. */
  enter(epoch: number): Sampled {
    const { epochs, rollouts } = this.#experiment;
    for (const done of this.#epochs.keys()) if (done < epoch) this.#epochs.delete(done);
    const sampled = this.#sampled(epoch);
    for (let next = epoch + 1; next <= Math.min(epoch + rollouts.staleness, epochs); next++) this.#sampled(next);
    this.#watched = epoch;
    return sampled;
  }

  /** A policy has a new version, which its learner samples. */
  advance(role: Role): void {
    const { policy, version } = this.#open.loop[role];
    this.#samplers[role].set(version.name, Promise.resolve({ policy, version }));
  }

  /** Gives up what is being sampled; what has finished is recorded. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const begun = [...this.#epochs.values()];
    await Promise.allSettled(begun.flatMap(({ written, attempted, before }) => [written, attempted, before]));
    await Promise.allSettled(begun.map(async ({ attempted }) => (await attempted).late));
    for (const policy of this.#restored) await policy.dispose();
  }

  #sampled(epoch: number): Sampled {
    const begun = this.#epochs.get(epoch) ?? this.#begin(epoch);
    this.#epochs.set(epoch, begun);
    return begun;
  }

  #begin(epoch: number): Sampled {
    const start = sampledFrom(epoch, this.#experiment.rollouts.staleness, this.#shared);
    const published = this.#publishedAt(start);
    const view = this.#viewAt(epoch, start);
    const written = this.#writing.then(async () => {
      const sampling = await this.#sampling(view, published);
      return write({ ...sampling, seen: await this.#open.seenAt(start) }, epoch);
    });
    // Mode `static` attempts the first epoch's tasks in every epoch.
    if (this.#experiment.mode === 'static') this.#writing = written;
    const before = this.#lateIn(epoch - 1, epoch);
    const attempted = written.then((done) => attemptAll(done, epoch, before, this.#shareLate(epoch)));
    // The loop meets a failure when it comes to this epoch.
    for (const promise of [written, attempted, before]) promise.catch(() => undefined);
    return {
      versions: { agent: published.agent.version, environment: published.environment.version },
      written,
      attempted,
      before,
    };
  }

  /** The last epoch waits for all of its groups. Null where none are late, in this epoch or the one before. */
  #shareLate(epoch: number): number | null {
    const { epochs, rollouts } = this.#experiment;
    const share = lateShare(rollouts);
    // A branch that waits for all counts those that its parent left.
    const follows = epoch === this.#shared + 1 && this.#open.loop.state.late.has(this.#shared);
    if (share === 0 && !follows) return null;
    return epoch < epochs ? share : 0;
  }

  /** Late groups of an epoch, complete. @param counting the epoch in which they count */
  async #lateIn(epoch: number, counting: number): Promise<LateGroups> {
    const before = this.#epochs.get(epoch);
    if (before !== undefined) return (await before.attempted).late;
    const { state } = this.#open.loop;
    const late = state.late.get(epoch);
    if (late === undefined) return noneLate;
    const { staleness } = this.#experiment.rollouts;
    // The batch of a shared epoch is what its run drew; of its versions only the last is sure to be kept.
    const isOwn = epoch > this.#shared;
    const start = sampledFrom(epoch, staleness, isOwn ? this.#shared : 0);
    const published = this.#publishedAt(Math.max(start, this.#shared + 1));
    const view = await this.#sampling(this.#viewAt(epoch, start), published);
    const isCounted = state.open?.epoch === counting && state.open.attempted.length > 0;
    if (!isOwn) return lateOfShared(view, epoch, late, isCounted);
    return attemptLate(view, epoch, wholeBatch(await chooseBatch(view, epoch)), new Set(late), isCounted);
  }

  #publishedAt(epoch: number): Record<Role, PublishedVersion> {
    const { agent, environment } = this.#open.loop.state;
    return { agent: versionAtStart(agent, epoch), environment: versionAtStart(environment, epoch) };
  }

  async #sampling(view: Loop, published: Record<Role, PublishedVersion>): Promise<Loop> {
    const agent = await this.#sampler('agent', published.agent);
    const environment = await this.#sampler('environment', published.environment);
    return { ...view, agent: { ...view.agent, ...agent }, environment: { ...view.environment, ...environment } };
  }

  /** The loop as an epoch sees it that is sampled at the start of another. */
  #viewAt(epoch: number, start: number): Loop {
    const { loop } = this.#open;
    const open = loop.state.open?.epoch === epoch ? loop.state.open : null;
    return {
      ...loop,
      ...this.#open.tasksAt(start),
      experiment: inEpoch(experimentAtStart(this.#experiment, loop.state, start), epoch),
      state: stateAtStart(loop.state, start, open),
      ports: {
        ...loop.ports,
        signal: AbortSignal.any([loop.ports.signal, this.#stopped.signal]),
        onProgress: (progress) => {
          if (this.#watched === epoch) loop.ports.onProgress?.(progress);
        },
      },
    };
  }

  /** A version from before this process came to the run is restored from its checkpoint. */
  #sampler(role: Role, { version, checkpoint }: PublishedVersion): Promise<Sampler> {
    const known = this.#samplers[role].get(version.name);
    if (known !== undefined) return known;
    const restoring = this.#restore(role, version.name, checkpoint);
    this.#samplers[role].set(version.name, restoring);
    return restoring;
  }

  async #restore(role: Role, name: string, checkpoint: CheckpointRef): Promise<Sampler> {
    const policy = await this.#open.loop.ports[role].restore(checkpoint);
    this.#restored.push(policy);
    return { policy, version: await policy.publish(name) };
  }
}

/** Journaled phases of the epoch are not repeated; its records are reused. */
async function write(view: Loop, epoch: number): Promise<Written> {
  const { open } = view.state;
  const writing = open !== null && open.attempted.length > 0 ? null : await familiesToWrite(view, epoch);
  if (writing === null || open?.generated !== undefined) return { view, writing, generated: null, early: null };
  const early = await EarlyAttempts.of(view, epoch);
  try {
    const families = early?.inOrder(writing.families) ?? writing.families;
    const generated = await generate(view, epoch, families, (task) => early?.begin(task));
    return { view, writing, generated: { ...generated, ...endedNow(view) }, early };
  } catch (error) {
    await early?.stop();
    throw error;
  }
}

async function attemptAll(
  { view, early }: Written,
  epoch: number,
  before: Promise<LateGroups>,
  share: number | null,
): Promise<{ round: Round } & OnTime> {
  await early?.finish();
  const round = wholeBatch(await chooseBatch(view, epoch));
  const recorded = await view.ports.records.tracesOf(epoch);
  const { attempted, late } =
    share === null
      ? { attempted: await attemptRound(view, epoch, round, recorded, early?.begun), late: Promise.resolve(noneLate) }
      : await attemptOnTime(view, epoch, round, recorded, { begun: early?.begun ?? null, before, share });
  return { round, late, attempted: { ...attempted, outcome: { ...attempted.outcome, ...endedNow(view) } } };
}

/** The event is written once the loop comes to its epoch. */
const endedNow = ({ ports }: Loop) => ({ ended: { at: ports.clock.now() } });
