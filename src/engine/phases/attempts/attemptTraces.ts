import { askedOf } from '../../../shared/records/asked.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace, Verdict } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { packSequences } from '../../math/packed/packedSequence.ts';
import { InOrder } from '../../inOrder.ts';
import { isBudgeted, traceId, type AttemptPlan, type Attempters, type Group } from './attemptPlan.ts';
import { useOfTrace } from '../../spending/billed.ts';
import { Recording } from './recording.ts';
import { tokensOf } from './traceTokens.ts';

/** The name of each purpose in progress reports. */
const phases: Record<Trace['purpose'], string> = {
  train: 'attempt',
  validation: 'validate',
  rank: 'rank',
  benchmark: 'evaluate',
};

/** Attempts that are judged at once, while others are sampled. */
const judgedAtOnce = 256;

/** One attempt that has ended, before its judgement. */
export type FinishedAttempt = Pick<
  Trace,
  'messages' | 'branches' | 'sequences' | 'counted' | 'stopReason' | 'steps'
> & {
  task: Task;
  index: number;
  /** The agent's prompt; absent where a program asked. */
  prompt?: readonly Message[];
};

/** The traces of a plan: those recorded earlier, and new ones, which are judged and recorded as they finish. */
export class AttemptTraces {
  readonly #loop: Attempters;
  readonly #plan: AttemptPlan;
  readonly #onRecorded: (trace: Trace) => void;
  readonly #done = new Map<string, Trace>();
  readonly #judging = new InOrder<Verdict>(judgedAtOnce);
  readonly #recording: Recording;
  #tokens = 0;
  #successes = 0;

  constructor(loop: Attempters, plan: AttemptPlan, onRecorded: (trace: Trace) => void = () => undefined) {
    this.#loop = loop;
    this.#plan = plan;
    this.#onRecorded = onRecorded;
    this.#recording = new Recording((traces) => loop.ports.records.appendTraces(traces));
  }

  /** Aborted with the error of a record that could not be appended. */
  get failed(): AbortSignal {
    return this.#recording.failed;
  }

  /** Tokens of all traces so far. */
  get tokens(): number {
    return this.#tokens;
  }

  /** Takes over the traces that the epoch's records already hold. */
  async recall(): Promise<void> {
    const { purpose, epoch, tasks, recorded } = this.#plan;
    const own = new Set(tasks.map(({ id }) => id));
    for (const trace of recorded ?? (await this.#loop.ports.records.tracesOf(epoch))) {
      if (trace.purpose === purpose && own.has(trace.task)) this.#add(trace);
    }
  }

  idOf(task: string, index: number): string {
    return traceId(this.#plan, task, index);
  }

  /** Indices of the attempts that are not recorded yet; none of those that began before the others. */
  missing(task: Task): number[] {
    const { begun, first, group } = this.#plan;
    const from = begun?.tasks.has(task.id) === true ? (begun.first ?? group) : 0;
    const indices = Array.from({ length: first ?? group }, (_, i) => i);
    return indices.filter((i) => i >= from && this.at(task, i) === undefined);
  }

  /** An attempt that is recorded. */
  at(task: Task, index: number): Trace | undefined {
    return this.#done.get(this.idOf(task.id, index));
  }

  /** All traces so far, by task. */
  groups(): Group[] {
    const { tasks, group } = this.#plan;
    return tasks.map((task) => ({
      task,
      traces: Array.from({ length: group }, (_, i) => this.#done.get(this.idOf(task.id, i))).filter(
        (trace) => trace !== undefined,
      ),
    }));
  }

  /**
   * Has an attempt judged and recorded; resolves when there is room for more, `settle` when that is done. @param own the attempt's own
   *   verdict; null where we judge
   */
  async finish(ended: FinishedAttempt, own: Verdict | null): Promise<void> {
    const { judge, scorer } = this.#loop.ports;
    const { task } = ended;
    const attempted = this.#traceOf(ended);
    // A judge may be that of another of several domains: who leads the attempt says whether it is asked.
    if (own !== null) await this.#record({ ...attempted, verdict: own });
    else if (judge === undefined) await this.#record({ ...attempted, verdict: scorer.score(task, attempted) });
    else await this.#judging.add(judge.judge(task, attempted), (verdict) => this.#record({ ...attempted, verdict }));
  }

  /** Resolves when every judged attempt is recorded. */
  recorded(): Promise<void> {
    return this.#recording.finish();
  }

  /** Resolves when every finished attempt is judged and recorded. */
  async settle(): Promise<void> {
    try {
      await this.#judging.finish();
    } finally {
      await this.recorded();
    }
  }

  #traceOf({
    task,
    index,
    prompt,
    messages,
    branches,
    sequences,
    counted,
    stopReason,
    steps = [],
  }: FinishedAttempt): Omit<Trace, 'verdict'> {
    const { purpose, epoch, keepSequences } = this.#plan;
    return {
      v: 1,
      id: this.idOf(task.id, index),
      purpose,
      task: task.id,
      family: task.family,
      ...defined({ domain: task.domain }),
      epoch,
      version: this.#loop.agent.version.name,
      ...askedOf(task, prompt),
      messages,
      ...defined({ branches }),
      sequences: keepSequences ? sequences : sequences.map((sequence) => ({ ...sequence, tokens: [], logprobs: [] })),
      ...defined({ counted }),
      stopReason,
      ...(steps.length > 0 && { steps }),
    };
  }

  async #record(trace: Trace): Promise<void> {
    const { race, onTime } = this.#plan;
    if (race !== undefined || onTime !== undefined) {
      // Later records would depend on who was faster: each is on disk before another is handed over.
      if (race?.isOver === true) return;
      await this.#recording.add(trace);
      await this.recorded();
      this.#add(trace);
      return;
    }
    // It counts from here on: what it lets begin is recorded behind it, and no event is journaled before `settle`.
    const room = this.#recording.add(trace);
    this.#add(trace);
    await room;
  }

  #add(trace: Trace): void {
    const { purpose, epoch, tasks, group } = this.#plan;
    const packed = { ...trace, sequences: packSequences(trace.sequences) };
    this.#done.set(trace.id, packed);
    this.#onRecorded(trace);
    this.#plan.race?.recorded(trace);
    this.#plan.onTime?.recorded(trace);
    this.#plan.stream?.recorded(packed);
    this.#tokens += tokensOf(trace);
    if (!this.#plan.closed) {
      const kind = isBudgeted(purpose) ? 'attempted' : 'measured';
      this.#loop.meter?.record(kind, epoch, trace.id, [useOfTrace(trace)]);
    }
    if (trace.verdict.success) this.#successes += 1;
    this.#loop.ports.onProgress?.({
      phase: phases[purpose],
      epoch,
      done: this.#done.size,
      total: tasks.length * group,
      tokens: this.#tokens,
      successes: this.#successes,
    });
  }
}
