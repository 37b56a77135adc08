/**
 * Attempts at tasks as they are accepted, while others of their epoch are still written: samplers do not wait for the
 * slowest text. The epoch's round takes them as they ended.
 */
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { attemptsInAnyCase } from '../../cutOff/decided.ts';
import { cutOffBand } from '../../cutOff/cutOffOf.ts';
import { lateShare } from '../../late/places.ts';
import { LoopError } from '../../errors.ts';
import { expectedLength, type ExpectedLength } from '../../order/expectedLength.ts';
import type { FamilyRequest } from '../generate.ts';
import type { Loop } from '../../loop.ts';
import { UnansweredCount } from '../../unanswered.ts';
import { batchTrainer } from '../byJob/jobs.ts';
import { attempt } from './attempt.ts';
import { Race } from '../../spare/race.ts';
import type { StreamedPass } from '../updates/streamedPass.ts';
import type { Begun } from './attemptPlan.ts';
import { trainingPlan } from './attemptRound.ts';

export class EarlyAttempts {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #recorded: ReadonlyMap<string, readonly Trace[]>;
  readonly #expected: ExpectedLength | undefined;
  /** Of each task: more may not be made where its family is cut off. */
  readonly #first: number | undefined;
  readonly #stopped = new AbortController();
  /** Undefined where all of them are waited for. */
  readonly #race: Race | undefined;
  /** Undefined where an epoch's updates wait for all of them. */
  readonly #onTime: Race | undefined;
  /** Learns from them meanwhile; null where learning waits. */
  readonly stream: StreamedPass | null;
  readonly #begun: Promise<void>[] = [];
  readonly #tasks = new Set<string>();
  readonly #unanswered = new UnansweredCount();
  /** Null before the first. */
  begun: Begun | null = null;

  private constructor(loop: Loop, epoch: number, recorded: readonly Trace[], stream: StreamedPass | null) {
    this.stream = stream;
    this.#race = loop.experiment.rollouts.spare > 0 ? new Race() : undefined;
    this.#onTime = lateShare(loop.experiment.rollouts) > 0 ? new Race() : undefined;
    const over = this.#race === undefined ? [] : [this.#race.signal];
    const signal = AbortSignal.any([loop.ports.signal, this.#stopped.signal, ...over]);
    // Of a phase that is shown by itself.
    this.#loop = { ...loop, ports: { ...loop.ports, signal, onProgress: () => undefined } };
    this.#epoch = epoch;
    this.#expected = expectedLength(loop, epoch);
    const band = cutOffBand(loop, epoch);
    const { generation, rollouts } = loop.experiment;
    this.#first = band && attemptsInAnyCase(rollouts.group, generation.variations, band);
    this.#recorded = Map.groupBy(recorded, ({ task }) => task);
  }

  /**
   * Null where attempts have to wait: for a choice among what is accepted, for the round that they belong to, for their
   * turn on an endpoint that answers in order, or for a leader that counts them.
   * @param streaming begins what learns from them meanwhile
   */
  static async of(
    loop: Loop,
    epoch: number,
    streaming: (recorded: readonly Trace[]) => StreamedPass | null = () => null,
  ): Promise<EarlyAttempts | null> {
    const { mode, rollouts, agent } = loop.experiment;
    const waits =
      (mode !== 'coevolve' && mode !== 'random') ||
      rollouts.batch !== null ||
      loop.agent.policy.capabilities.deterministic ||
      (agent.train && batchTrainer(loop.agent, 'agent') !== null) ||
      loop.ports.domain.leaderOf !== undefined;
    if (waits) return null;
    const recorded = await loop.ports.records.tracesOf(epoch);
    return new EarlyAttempts(loop, epoch, recorded, streaming(recorded));
  }

  /** Families whose answers take longest are written first, so that these begin first. */
  inOrder(families: readonly FamilyRequest[]): readonly FamilyRequest[] {
    const expected = this.#expected;
    if (expected === undefined) return families;
    return families.toSorted((a, b) => expected(b.context.seed) - expected(a.context.seed));
  }

  begin(task: Task): void {
    this.begun ??= {
      ...{ at: this.#loop.ports.clock.now(), tasks: this.#tasks, unanswered: this.#unanswered },
      ...defined({ first: this.#first, race: this.#race, onTime: this.#onTime }),
      ...(this.#isRaced && { finish: () => this.#ended() }),
    };
    if (this.#isRaced) this.#tasks.add(task.id);
    const attempting = this.#attempt(task);
    attempting.catch(() => undefined);
    this.#begun.push(attempting);
  }

  /** Waits for all of them, unless the first complete ones are enough. @throws the failure that ends the phase */
  async finish(): Promise<void> {
    if (!this.#isRaced) await this.#ended();
  }

  get #isRaced(): boolean {
    return this.#race !== undefined || this.#onTime !== undefined;
  }

  async #ended(): Promise<void> {
    await Promise.allSettled(this.#begun);
    await Promise.all(this.#begun);
  }

  /** Gives up those that have not finished. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.allSettled(this.#begun);
  }

  async #attempt(task: Task): Promise<void> {
    const plan = trainingPlan(this.#loop, this.#epoch, [task], this.#recorded.get(task.id) ?? [], this.#expected);
    const own = { at: 0, tasks: new Set<string>(), unanswered: this.#unanswered };
    try {
      await attempt(this.#loop, {
        ...{ ...plan, minimum: 0, begun: own, stream: this.stream },
        ...defined({ first: this.#first, race: this.#race, onTime: this.#onTime }),
      });
    } catch (error) {
      if (this.#race?.isOver === true) return;
      // Whether a task without an answer ends the phase is the round's decision.
      if (!LoopError.is(error, 'endpoint')) throw error;
    }
    this.#tasks.add(task.id);
  }
}
