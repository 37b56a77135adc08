/** The journal of an imported run: its epochs' figures, counted while its records are written. */
import type { Clock, Journal } from '../../../engine/ports.ts';
import type { Group } from '../../../engine/phases/attempts/attemptPlan.ts';
import { curriculumOf } from '../../../shared/journal/curriculum.ts';
import { scoreFamilies } from '../../../engine/phases/score.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { importedOnly } from '../../../shared/journal/untrained.ts';
import type { EventOf, JournalEvent } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { knownSum } from '../../../shared/money/knownSum.ts';

export type Judged = 'solved' | 'failed' | 'unjudged';

interface Counts extends Record<Judged, number> {
  truncated: number;
  /** Null where the format does not tell them all. */
  tokens: number | null;
}

type Unstamped<E> = E extends JournalEvent ? Omit<E, 'v' | 'seq' | 'at'> : never;

const version = { name: 'imported', handle: 'imported:agent' };
const nothing = { trained: 0, solved: 0, hopeless: 0, broken: 0 };

/** Representative attempts: scoring reads only verdicts. */
const like: Record<Judged, Trace> = {
  solved: trace({ success: true, reward: 1, valid: true }),
  failed: trace({ success: false, reward: 0, valid: true }),
  unjudged: trace({ success: false, reward: 0, valid: false, error: 'unjudged' }),
};

function trace(verdict: Trace['verdict']): Trace {
  const place = { v: 1, id: '', purpose: 'train', task: '', family: '', epoch: 0, version: '' } as const;
  return { ...place, messages: [], sequences: [], stopReason: 'stop', verdict };
}

export class ImportedEpochs {
  readonly #journal: Journal;
  readonly #experiment: Experiment;
  readonly #clock: Clock;
  /** By epoch, then by task. */
  readonly #counts = new Map<number, Map<string, Counts>>();
  #seq = 0;

  constructor(journal: Journal, experiment: Experiment, clock: Clock) {
    this.#journal = journal;
    this.#experiment = experiment;
    this.#clock = clock;
  }

  /** Counts an attempt; gives its number among those at its task in its epoch. */
  add(epoch: number, task: string, attempt: { how: Judged; truncated: boolean; tokens: number | null }): number {
    const tasks = this.#counts.get(epoch) ?? new Map<string, Counts>();
    this.#counts.set(epoch, tasks);
    const counts = tasks.get(task) ?? { solved: 0, failed: 0, unjudged: 0, truncated: 0, tokens: 0 };
    tasks.set(task, counts);
    const index = attemptsIn(counts);
    counts[attempt.how] += 1;
    counts.truncated += Number(attempt.truncated);
    counts.tokens = knownSum(counts.tokens, attempt.tokens);
    return index;
  }

  /** Writes it from beginning to end. @param format whose rollouts these are */
  async journal(format: string): Promise<void> {
    const { mode, seed, epochs } = this.#experiment;
    const policies = { agent: version, environment: version };
    await this.#append({
      ...{ type: 'run.started', mode, seed, epochs, ...policies, checkpoints: policies, base: 0, validation: 0 },
    });
    const known = new Set<string>();
    let traces = 0;
    for (const [epoch, counts] of [...this.#counts].sort(([a], [b]) => a - b)) {
      const settings = curriculumOf(this.#experiment);
      await this.#append({ type: 'epoch.started', epoch, settings, versions: policies });
      const scored = this.#scored(counts);
      const sum = (of: (one: Counts) => number): number => [...counts.values()].reduce((all, one) => all + of(one), 0);
      const rollouts = sum(attemptsIn);
      const unjudged = sum((one) => one.unjudged);
      const tokens = [...counts.values()].map((one) => one.tokens).reduce(knownSum, 0);
      const answerLength = tokens === null ? null : tokens / rollouts;
      await this.#append({
        ...{ type: 'rollouts.finished', epoch, tasks: counts.size, rollouts, tokens, answerLength, seconds: 0 },
        ...{ truncated: sum((one) => one.truncated), invalid: unjudged, checkerErrors: unjudged },
      });
      await this.#append({ type: 'families.scored', epoch, ...scored });
      await this.#append({ type: 'agent.skipped', epoch, reason: importedOnly, groups: nothing });
      const { successRate, inBand, environmentReward, families } = scored;
      await this.#append({
        ...{ type: 'environment.skipped', epoch, reason: importedOnly, familiesKept: 0, families: families.length },
      });
      const valid = rollouts - unjudged;
      const before = known.size;
      for (const task of counts.keys()) known.add(task);
      traces += valid;
      const agent = { addedTasks: known.size - before, addedTraces: valid, tasks: known.size, traces };
      await this.#append({ type: 'pools.grown', epoch, agent, environment: { added: 0, size: 0 } });
      const measured = { successRate, inBand, environmentReward, familiesKept: 0, families: families.length };
      const spent = { taskLength: null, answerLength, rejected: {}, rollouts, tokens, seconds: 0 };
      const summary = { epoch, ...measured, effectiveSampleSize: 0, kl: { agent: null, environment: null }, ...spent };
      await this.#append({ type: 'epoch.finished', epoch, summary });
    }
    await this.#append({ type: 'run.finished', reason: 'epochs', note: `Imported from ${format}.` });
  }

  /** Without weights: no environment learned from these. */
  #scored(
    counts: ReadonlyMap<string, Counts>,
  ): Omit<EventOf<'families.scored'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'> {
    const groups = [...counts].map(([id, count]): Group => ({ task: taskNamed(id), traces: tracesLike(count) }));
    const scored = scoreFamilies(groups, [], this.#experiment.curriculum, true);
    const families = scored.families.map((family) => ({
      ...family,
      kept: 0,
      weight: 0,
      tasks: family.tasks.map((task) => ({ ...task, weight: 0 })),
    }));
    return { ...scored, families, familiesKept: 0, effectiveSampleSize: 0 };
  }

  async #append(event: Unstamped<JournalEvent>): Promise<void> {
    await this.#journal.append({ v: 1, seq: this.#seq++, at: this.#clock.now(), ...event });
  }
}

const attemptsIn = ({ solved, failed, unjudged }: Counts): number => solved + failed + unjudged;

const tracesLike = (counts: Counts): Trace[] =>
  (['solved', 'failed', 'unjudged'] as const).flatMap((how) => Array.from({ length: counts[how] }, () => like[how]));

const taskNamed = (id: string): Task => ({
  ...{ v: 1, id, family: id, epoch: 1, origin: 'offline', seed: null, status: 'accepted', prompt: [] },
  ...{ evaluation: { kind: 'imported' }, gold: null, complexity: {}, plan: '' },
});
