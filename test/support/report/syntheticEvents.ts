/** The journal of a synthetic run. */
import { meanPassAtK } from '../../../src/engine/math/passAtK.ts';
import type { Counts } from '../../../src/engine/math/divergence.ts';
import { pooled, successRate } from '../../../src/engine/math/successRate.ts';
import {
  compared,
  comparedText,
  wordCounts,
  writtenQuality,
  type ComparedText,
} from '../../../src/engine/math/written/writtenQuality.ts';
import { Rng } from '../../../src/engine/random.ts';
import { eventSchema, type EventOf, type JournalEvent } from '../../../src/shared/journal/events.ts';
import { type SuccessRate } from '../../../src/shared/journal/scores.ts';
import type { WrittenQuality } from '../../../src/shared/journal/quality.ts';
import type { Course, SyntheticEpoch } from './syntheticRun.ts';

export interface JournalOptions {
  /** Ends the journal in the middle of the last epoch. */
  unfinished?: boolean;
  /** β changes at this epoch. */
  changeAt?: number;
}

type Unstamped<E> = E extends JournalEvent ? Omit<E, 'v' | 'seq' | 'at'> : never;
type Body = Unstamped<JournalEvent>;

const start = Date.UTC(2026, 10, 21, 9, 30);
const checkpoint = (name: string): { name: string; handle: string } => ({ name, handle: `checkpoints/${name}` });
const version = (policy: string, n: number): { name: string; handle: string } => ({
  name: `${policy}@${n}`,
  handle: `${policy}-${n}`,
});
const words = (text: string): number => text.split(' ').length;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Every event passes its schema. */
export function syntheticEvents(course: Course, options: JournalOptions = {}): JournalEvent[] {
  return new Writer(course, options).write();
}

class Writer {
  readonly #course: Course;
  readonly #options: JournalOptions;
  readonly #events: JournalEvent[] = [];
  #at = start;
  #updates = { agent: 0, environment: 0 };
  readonly #words: Counts[] = [];

  constructor(course: Course, options: JournalOptions) {
    this.#course = course;
    this.#options = options;
  }

  write(): JournalEvent[] {
    const { experiment, epochs } = this.#course;
    this.#emit(0, {
      type: 'run.started',
      mode: experiment.mode,
      seed: experiment.seed,
      epochs: experiment.epochs,
      agent: version('agent', 0),
      environment: version('environment', 0),
      checkpoints: { agent: checkpoint('agent@0'), environment: checkpoint('environment@0') },
      base: 544,
      validation: experiment.validation.tasks,
    });
    if (experiment.validation.every > 0) this.#validate(0);
    if (experiment.evaluation.every > 0) this.#evaluate(0);
    for (let epoch = 1; epoch <= epochs; epoch++) {
      if (!this.#epoch(epoch)) return this.#events;
    }
    this.#emit(0, { type: 'run.finished', reason: 'epochs', note: `All ${epochs} epochs are done.` });
    return this.#events;
  }

  #emit(seconds: number, body: Body): void {
    this.#at += Math.round(seconds * 1000);
    this.#events.push(eventSchema.parse({ v: 1, seq: this.#events.length, at: this.#at, ...body }));
  }

  /** False when the journal ends inside this epoch. */
  #epoch(epoch: number): boolean {
    const { experiment } = this.#course;
    const rng = Rng.from(experiment.seed, 'synthetic-epoch', epoch);
    const { changeAt, unfinished } = this.#options;
    const { alpha, beta, lambda, kMin } = experiment.curriculum;
    const inForce = changeAt !== undefined && epoch >= changeAt ? beta + 5 : beta;
    if (epoch === changeAt) {
      const changes = [{ field: 'curriculum.beta', from: beta, to: inForce }];
      this.#emit(0, { type: 'settings.changed', epoch, changes, author: 'a person' });
    }
    this.#emit(0, {
      type: 'epoch.started',
      epoch,
      settings: { alpha, beta: inForce, lambda, kMin },
      versions: {
        agent: version('agent', this.#updates.agent),
        environment: version('environment', this.#updates.environment),
      },
    });
    const records = this.#course.epoch(epoch);
    const generated = this.#generate(epoch, records, rng);
    const attempted = this.#attempt(epoch, records, rng);
    if (unfinished === true && epoch === this.#course.epochs) return false;
    this.#emit(0, { type: 'families.scored', epoch, ...records.outcome });
    const agent = this.#updateAgent(epoch, records, rng);
    const environment = this.#updateEnvironment(epoch, records, rng);
    const validates = experiment.validation.every > 0 && epoch % experiment.validation.every === 0;
    const validation = validates ? this.#validate(epoch) : undefined;
    if (experiment.evaluation.every > 0 && epoch % experiment.evaluation.every === 0) this.#evaluate(epoch);
    const seconds =
      generated.seconds + attempted.seconds + agent.seconds + environment.seconds + 0.2 + (validates ? 0.9 : 0);
    this.#emit(0.2, {
      type: 'epoch.finished',
      epoch,
      summary: {
        epoch,
        successRate: records.outcome.successRate,
        inBand: records.outcome.inBand,
        environmentReward: records.outcome.environmentReward,
        familiesKept: records.outcome.familiesKept,
        families: records.outcome.families.length,
        effectiveSampleSize: records.outcome.effectiveSampleSize,
        kl: { agent: agent.kl, environment: environment.kl },
        taskLength: generated.taskLength,
        answerLength: attempted.answerLength,
        rejected: generated.rejected,
        rollouts: attempted.rollouts,
        tokens: generated.tokens + (attempted.tokens ?? 0),
        seconds,
        ...(validation === undefined ? {} : { validation }),
      },
    });
    return true;
  }

  #generate(epoch: number, { tasks }: SyntheticEpoch, rng: Rng): EventOf<'tasks.generated'> {
    const rejected = {
      duplicate: rng.int(3),
      plan: 1 + rng.int(4 + Math.floor(epoch / 8)),
      gold: rng.int(4),
      schema: rng.int(3),
      ...(rng.next() < 0.2 ? { truncated: 1 } : {}),
    };
    const refused = Object.values(rejected).reduce((sum, n) => sum + n, 0);
    const taskLength = mean(tasks.map(({ prompt, gold }) => words(prompt[1]?.content ?? '') + words(gold ?? '')));
    const tokens = Math.round((tasks.length + refused) * taskLength);
    const quality = this.#quality(tasks);
    const body = {
      type: 'tasks.generated' as const,
      epoch,
      families: this.#course.experiment.generation.families,
      written: tasks.length + refused,
      accepted: tasks.length,
      rejected,
      tokens,
      taskLength,
      ...(quality === null ? {} : { quality }),
      seconds: tokens / 9000 + 0.05 * rng.next(),
    };
    this.#emit(body.seconds, body);
    return this.#last(body.type);
  }

  /** As the loop measures it; the first task of a family stands for its seed. */
  #quality(tasks: SyntheticEpoch['tasks']): WrittenQuality | null {
    const seeds = new Map<string, ComparedText>();
    const texts = tasks.slice(0, compared).map(({ family, prompt }) => {
      const text = comparedText(prompt.map(({ content }) => content).join(' '));
      const seed = seeds.get(family) ?? text;
      seeds.set(family, seed);
      return { text, seed };
    });
    const counts = wordCounts(texts.map(({ text }) => text));
    const quality = writtenQuality(texts, { first: this.#words[0] ?? null, previous: this.#words.at(-1) ?? null });
    this.#words.push(counts);
    return quality;
  }

  #attempt(epoch: number, { tasks, traces }: SyntheticEpoch, rng: Rng): EventOf<'rollouts.finished'> {
    const lengths = traces.map(({ messages }) => words(messages[0]?.content ?? ''));
    const tokens = lengths.reduce((sum, n) => sum + n, 0);
    const body = {
      type: 'rollouts.finished' as const,
      epoch,
      tasks: tasks.length,
      rollouts: traces.length,
      tokens,
      truncated: rng.int(3),
      invalid: rng.int(9),
      checkerErrors: 0,
      answerLength: mean(lengths),
      seconds: tokens / 21_000 + 0.05 * rng.next(),
    };
    this.#emit(body.seconds, body);
    return this.#last(body.type);
  }

  #updateAgent(epoch: number, { traces }: SyntheticEpoch, rng: Rng): { kl: number | null; seconds: number } {
    const { experiment } = this.#course;
    if (!experiment.agent.train) return { kl: null, seconds: 0 };
    const byTask = [...Map.groupBy(traces, ({ task }) => task).values()];
    const solved = byTask.filter((group) => group.every(({ verdict }) => verdict.success)).length;
    const hopeless = byTask.filter((group) => group.every(({ verdict }) => !verdict.success)).length;
    const groups = { solved, hopeless, trained: byTask.length - solved - hopeless, broken: 0 };
    if (groups.trained === 0) {
      this.#emit(0, { type: 'agent.skipped', epoch, reason: 'No group teaches anything.', groups });
      return { kl: null, seconds: 0 };
    }
    this.#updates.agent += 1;
    const reference = 0.09 * (1 - Math.exp(-epoch / 18)) + 0.006 * rng.next();
    const seconds = 1.1 + 0.3 * rng.next();
    this.#emit(seconds, {
      type: 'agent.updated',
      epoch,
      version: version('agent', this.#updates.agent),
      checkpoint: checkpoint(`agent@${this.#updates.agent}`),
      groups,
      steps: 6,
      sequences: groups.trained * experiment.rollouts.group,
      tokens: groups.trained * experiment.rollouts.group * 14,
      loss: 0.02 * (rng.next() - 0.5),
      entropy: 0.35 - 0.1 * (epoch / this.#course.epochs),
      gradNorm: 0.4 + 0.2 * rng.next(),
      kl: { sampleTrainV1: 0, sampleTrainV2: 0, prePost: 0.003 + 0.002 * rng.next(), reference },
      seconds,
    });
    return { kl: reference, seconds };
  }

  #updateEnvironment(epoch: number, { outcome }: SyntheticEpoch, rng: Rng): { kl: number | null; seconds: number } {
    const { experiment } = this.#course;
    if (experiment.mode !== 'coevolve') return { kl: null, seconds: 0 };
    const families = outcome.families.length;
    if (outcome.familiesKept < experiment.environment.minFamilies) {
      const { familiesKept } = outcome;
      const reason =
        familiesKept === 0
          ? `None of ${families} families passed the difficulty filter in this epoch.`
          : `${familiesKept} kept in the buffer, fewer than environment.minFamilies = ${experiment.environment.minFamilies}.`;
      this.#emit(0, { type: 'environment.skipped', epoch, reason, familiesKept, families });
      return { kl: null, seconds: 0 };
    }
    this.#updates.environment += 1;
    const initial = 0.16 * (1 - Math.exp(-epoch / 10)) + 0.012 * rng.next();
    const seconds = 0.8 + 0.2 * rng.next();
    const capped = epoch > 3 && epoch < 8;
    this.#emit(seconds, {
      type: 'environment.updated',
      epoch,
      version: version('environment', this.#updates.environment),
      checkpoint: checkpoint(`environment@${this.#updates.environment}`),
      families: outcome.familiesKept,
      sequences: outcome.familiesKept * 4,
      tokens: outcome.familiesKept * 4 * 40,
      steps: capped ? 2 : 3,
      stoppedBy: capped ? 'update-cap' : 'end',
      effectiveSampleSize: outcome.effectiveSampleSize,
      loss: 0.8,
      entropy: 0.9 - 0.3 * (epoch / this.#course.epochs),
      gradNorm: 0.5 + 0.3 * (initial - 0.1),
      kl: { update: capped ? 0.2 + 0.01 * rng.next() : 0.04 + 0.05 * rng.next(), initial },
      seconds,
    });
    return { kl: initial, seconds };
  }

  #validate(epoch: number): SuccessRate {
    const { experiment } = this.#course;
    // The same tasks each time: a task is solved once the agent's skill passes what it asks for.
    const outcomes = Array.from({ length: experiment.validation.tasks }, (_, task) => {
      const rng = Rng.from(experiment.seed, 'synthetic-validation', task);
      const asks = 1 + 7 * rng.next();
      const noise = 0.5 * (Rng.from(experiment.seed, 'synthetic-noise', task, epoch).next() - 0.5);
      return this.#course.skill(epoch) + noise > asks ? '1' : '0';
    }).join('');
    const rate = successRate(outcomes.replaceAll('0', '').length, outcomes.length);
    this.#emit(0.9, {
      type: 'validated',
      epoch,
      version: `agent@${this.#updates.agent}`,
      successRate: pooled([rate]),
      outcomes,
      truncated: epoch === 0 ? 0 : 2,
      answerLength: 12 + epoch / 12,
      tokens: outcomes.length * 13,
      seconds: 0.9,
    });
    return rate;
  }

  /** A benchmark that is harder than what is held out, with as many attempts a task as the experiment says. */
  #evaluate(epoch: number): void {
    const { seed, evaluation } = this.#course.experiment;
    const tasks = evaluation.sample ?? 50;
    const tries = Array.from({ length: tasks }, (_, task) => {
      const asks = 2 + 8 * Rng.from(seed, 'synthetic-benchmark', task).next();
      const solved = Array.from({ length: evaluation.attempts }, (_, i) => {
        const noise = 3 * (Rng.from(seed, 'synthetic-attempt', task, epoch, i).next() - 0.5);
        return this.#course.skill(epoch) + noise > asks;
      });
      return { attempts: solved.length, successes: solved.filter((one) => one).length };
    });
    this.#emit(0.5, {
      ...{
        type: 'evaluated',
        epoch,
        version: `agent@${this.#updates.agent}`,
        benchmark: 'Bamboogle',
        rule: 'bamboogle',
      },
      ...{ digest: 'synthetic', tasks, attempts: evaluation.attempts },
      pass: [...new Set([1, evaluation.attempts])].map((k) => meanPassAtK(tries, k)),
      outcomes: tries.map(({ successes, attempts }) => (successes * 2 > attempts ? '1' : '0')).join(''),
      ...{ truncated: 3, checkerErrors: 0, answerLength: 20, tokens: tasks * 40, seconds: 0.5 },
    });
  }

  #last<T extends 'tasks.generated' | 'rollouts.finished'>(type: T): EventOf<T> {
    const event = this.#events.at(-1);
    if (!isType(event, type)) throw new Error(`the last event is no ${type}`);
    return event;
  }
}

function isType<T extends JournalEvent['type']>(event: JournalEvent | undefined, type: T): event is EventOf<T> {
  return event?.type === type;
}
