/**
 * A run as spans: epoch, phase, task family, attempt, and its calls of models, tools and judges. It looks on at the ports and
 * the journal, and changes nothing of either. Ids follow from the run, so that a resumed run carries its tree on; epochs and
 * phases have the times of the journal.
 */
import type { Clock, Log, Ports } from '../../engine/ports.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { messageOf } from '../../shared/messageOf.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { attemptSpans, stepOf } from './attemptSpans.ts';
import { callAttributes, cut, modelOf } from './callAttributes.ts';
import { Families } from './families.ts';
import { Pending } from './pending.ts';
import { spanIdOf, traceIdOf, type Attributes, type Span } from './span.ts';
import { watchedPorts, type ModelCall, type Watcher } from './watchedPorts.ts';

export interface SpanSink {
  add(span: Span): void;
  close(): Promise<void>;
}

export interface TracedRun {
  run: string;
  experiment: Pick<Experiment, 'endpoints'>;
  clock: Clock;
  log: Log;
  content: boolean;
}

/** A phase by the purpose of its attempts. */
const phaseOf: Record<Trace['purpose'], string> = {
  train: 'attempt',
  rank: 'attempt',
  validation: 'validate',
  benchmark: 'evaluate',
};

export class RunTraces {
  readonly #of: TracedRun;
  readonly #sink: SpanSink;
  readonly #pending = new Pending();
  readonly #families = new Families();
  /** By epoch: rounds of attempts that are over. */
  readonly #rounds = new Map<number, number>();
  #epoch = { number: 0, start: 0 };
  #broken = false;

  constructor(of: TracedRun, sink: SpanSink) {
    this.#of = of;
    this.#sink = sink;
  }

  /** The ports, watched. */
  ports<P extends Ports>(ports: P): P {
    const careful = <A extends readonly unknown[]>(tell: (...told: A) => void) => {
      return (...told: A): void => this.#carefully(() => tell(...told));
    };
    const watcher: Watcher = {
      called: careful((call) => this.#called(call)),
      played: careful((task, steps) => this.#pending.played(task, steps)),
      judged: careful((by, times) => this.#pending.judged(by, times)),
      recorded: careful((traces) => traces.forEach((trace) => this.#recorded(trace))),
      recalled: careful((traces) => traces.forEach((trace) => this.#recalled(trace))),
    };
    return watchedPorts(ports, watcher, this.#of.clock);
  }

  /** An event from before this process: its spans have been sent. */
  past(event: JournalEvent): void {
    if (event.type === 'epoch.started') this.#epoch = { number: event.epoch, start: event.at };
    if (event.type === 'rollouts.finished') this.#rounds.set(event.epoch, this.#roundsOf(event.epoch) + 1);
  }

  journaled(event: JournalEvent): void {
    this.#carefully(() => this.#journaled(event));
  }

  /** Sends what waits, for a short while at the most. Never rejects. */
  async close(): Promise<void> {
    this.#carefully(() => this.#flush(Infinity));
    await this.#sink.close();
  }

  /** A fault here is no fault of the run. */
  #carefully(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!this.#broken) this.#of.log.warn(`Spans are incomplete: ${messageOf(error)}`);
      this.#broken = true;
    }
  }

  #journaled(event: JournalEvent): void {
    switch (event.type) {
      case 'tasks.generated':
        this.#phase(event, 'generate', 0, { 'genenv.tasks.accepted': event.accepted });
        break;
      case 'rollouts.finished':
        this.#phase(event, 'attempt', this.#roundsOf(event.epoch), { 'genenv.rollouts': event.rollouts });
        break;
      case 'agent.updated':
        this.#phase(event, 'update agent', event.round ?? 0, { 'genenv.policy.version': event.version.name });
        break;
      case 'environment.updated':
        this.#phase(event, 'update environment', 0, { 'genenv.policy.version': event.version.name });
        break;
      case 'validated':
        this.#phase(event, 'validate', 0, { 'genenv.success_rate': event.successRate.p ?? undefined });
        break;
      case 'evaluated':
        this.#phase(event, 'evaluate', 0, { 'genenv.benchmark': event.benchmark });
        break;
      case 'epoch.finished':
        this.#epochOver(event);
        break;
      default:
    }
    this.past(event);
  }

  #phase(
    event: Extract<JournalEvent, { seconds: number }> & { ended?: { at: number } | undefined },
    name: string,
    round: number,
    attributes: Attributes,
  ): void {
    const { epoch } = event;
    const end = event.ended?.at ?? event.at;
    const start = end - event.seconds * 1000;
    const { run } = this.#of;
    const id = spanIdOf(run, epoch, name, round);
    const trace = traceIdOf(run, epoch);
    const own = { 'genenv.epoch': epoch, 'genenv.phase': name, ...attributes };
    this.#add({ trace, id, parent: this.#root(epoch), name, start, end, attributes: own });
    for (const [family, { times, attempts, successes }] of this.#families.take(epoch, name, round)) {
      this.#add({
        ...{ trace, id: spanIdOf(run, epoch, name, round, family), parent: id, name: `family ${family}` },
        ...{ start: times?.start ?? start, end: times?.end ?? end },
        attributes: {
          ...{ 'genenv.epoch': epoch, 'genenv.family': family },
          ...(attempts > 0 && { 'genenv.attempts': attempts, 'genenv.successes': successes }),
        },
      });
    }
  }

  #epochOver({ epoch, at, summary }: Extract<JournalEvent, { type: 'epoch.finished' }>): void {
    this.#flush(this.#epoch.start);
    const { run } = this.#of;
    this.#add({
      ...{ trace: traceIdOf(run, epoch), id: spanIdOf(run, epoch), parent: null, name: `epoch ${epoch}` },
      ...{ start: this.#epoch.start, end: at },
      attributes: {
        ...{ 'genenv.run.id': run, 'genenv.epoch': epoch, 'genenv.success_rate': summary.successRate.p ?? undefined },
        ...{ 'genenv.in_band': summary.inBand, 'genenv.environment_reward': summary.environmentReward ?? undefined },
        ...{ 'genenv.rollouts': summary.rollouts, 'genenv.tokens': summary.tokens ?? undefined },
      },
    });
    this.#rounds.delete(epoch);
    this.#families.forget(epoch);
  }

  /** Measurements of the base agent come before the first epoch: there phases are roots. */
  #root(epoch: number): string | null {
    return epoch === 0 ? null : spanIdOf(this.#of.run, epoch);
  }

  #roundsOf(epoch: number): number {
    return this.#rounds.get(epoch) ?? 0;
  }

  /** The round that an attempt belongs to. */
  #place({ purpose, epoch }: Trace): { phase: string; round: number } {
    const phase = phaseOf[purpose];
    return { phase, round: phase === 'attempt' ? this.#roundsOf(epoch) : 0 };
  }

  #called(call: ModelCall): void {
    if (call.role === 'agent' && 'text' in call.answer) this.#pending.called(call);
    else this.#unclaimed(call);
  }

  /** A call of no attempt: a text of the environment, or one that failed. */
  #unclaimed(call: ModelCall): void {
    const { run } = this.#of;
    const { request, answer, role, start, end } = call;
    const [family, inEpoch] = (role === 'environment' && /^e(\d+)\.f\d+/.exec(request.id)) || [];
    const epoch = inEpoch === undefined ? this.#epoch.number : Number(inEpoch);
    if (family !== undefined) this.#families.add({ epoch, phase: 'generate', round: 0, family }, call);
    this.#add({
      trace: traceIdOf(run, epoch),
      id: spanIdOf(run, request.id, answer.index, request.seed),
      parent: family === undefined ? this.#root(epoch) : spanIdOf(run, epoch, 'generate', 0, family),
      ...{ name: `chat ${modelOf(this.#of.experiment.endpoints[role], call.version)}`, start, end },
      kind: 'client',
      attributes: callAttributes(call, this.#of.experiment.endpoints[role], this.#of.content),
      ...('failure' in answer && { error: this.#of.content ? cut(answer.failure) : 'The endpoint failed.' }),
    });
  }

  #recorded(trace: Trace): void {
    const { run, experiment, content, clock } = this.#of;
    const { phase, round } = this.#place(trace);
    const parent = spanIdOf(run, trace.epoch, phase, round, trace.family);
    const found = this.#pending.take(trace);
    const spans = attemptSpans(trace, found, {
      ...{ run, parent, endpoint: experiment.endpoints.agent, content, now: clock.now() },
    });
    for (const span of spans) this.#add(span);
    const [attempt] = spans;
    if (attempt === undefined) return;
    this.#families.add({ epoch: trace.epoch, phase, round, family: trace.family }, attempt, trace.verdict.success);
  }

  /** Of an earlier process: its span was sent, that of its family perhaps not. */
  #recalled(trace: Trace): void {
    const { phase, round } = this.#place(trace);
    this.#families.recall({ epoch: trace.epoch, phase, round, family: trace.family }, trace);
  }

  #flush(before: number): void {
    for (const call of this.#pending.leftFrom(before)) this.#unclaimed(call);
    const { run, content } = this.#of;
    const [trace, parent] = [traceIdOf(run, this.#epoch.number), this.#root(this.#epoch.number)];
    for (const [i, step] of this.#pending.stepsLeftFrom(before).entries()) {
      this.#add({
        trace,
        parent,
        id: spanIdOf(run, 'step', step.action, step.start, i),
        ...stepOf(step, content),
      });
    }
  }

  #add(span: Omit<Span, 'kind'> & Partial<Pick<Span, 'kind'>>): void {
    this.#sink.add({ kind: 'internal', ...span });
  }
}
