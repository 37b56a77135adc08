/** Which tasks and attempts a report shows as examples, and how much of their texts. */
import { successRate } from '../../../engine/math/successRate.ts';
import { largest, smallest } from '../../../shared/extremes.ts';
import type { FamilyScore } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { SampleAttempt, SampleTask } from '../../../shared/report/data.ts';
import { promptOf } from '../../../shared/records/asked.ts';
import { defined } from '../../../shared/defined.ts';
import { evenly } from './thin.ts';

export interface SampledTask {
  id: string;
  family: FamilyScore;
  successes: number;
  attempts: number;
}

/** The first epoch with measured tasks, the one in the middle and the last. */
export function sampleEpochs(scored: ReadonlyMap<number, readonly FamilyScore[]>): number[] {
  const measured = [...scored].filter(([, families]) => measuredTasks(families).length > 0).map(([epoch]) => epoch);
  return evenly(
    measured.sort((a, b) => a - b),
    3,
  );
}

function measuredTasks(families: readonly FamilyScore[]): SampledTask[] {
  return families.flatMap((family) =>
    family.tasks
      .filter(({ attempts }) => attempts > 0)
      .map(({ id, successes, attempts }) => ({ id, family, successes, attempts })),
  );
}

/**
 * Up to `count` tasks, easiest first: for each of `count` evenly spaced success rates from the highest to the lowest the
 * nearest task, from families not shown yet where there is a choice.
 */
export function sampleTasks(families: readonly FamilyScore[], count: number): SampledTask[] {
  const left = measuredTasks(families);
  const rate = ({ successes, attempts }: SampledTask): number => successes / attempts;
  const rates = left.map(rate);
  const [easiest, hardest] = [largest(rates), smallest(rates)];
  const chosen: SampledTask[] = [];
  const shown = new Set<string>();
  const wanted = Math.min(count, left.length);
  for (let i = 0; i < wanted; i++) {
    const target = wanted === 1 ? (easiest + hardest) / 2 : easiest + ((hardest - easiest) * i) / (wanted - 1);
    const cost = (task: SampledTask): number => Math.abs(rate(task) - target) + (shown.has(task.family.id) ? 0.06 : 0);
    const best = left.reduce((a, b) => (cost(b) < cost(a) - 1e-12 ? b : a));
    left.splice(left.indexOf(best), 1);
    shown.add(best.family.id);
    chosen.push(best);
  }
  return chosen.sort((a, b) => rate(b) - rate(a) || a.id.localeCompare(b.id));
}

/** Cuts texts at a number of characters and counts how many it cut. */
export class TextCut {
  readonly limit: number;
  cut = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** A cut text ends in `…` as a separate word: gold and answer stay comparable word by word. */
  shorten(text: string): string {
    if (text.length <= this.limit) return text;
    this.cut += 1;
    return `${text.slice(0, this.limit).replace(/[\uD800-\uDBFF]$/, '')} …`;
  }
}

const inOrder = new Intl.Collator('en', { numeric: true });

/** A chosen task's training attempts among an epoch's traces, in order. */
export function attemptsOf(task: string, traces: readonly Trace[]): Trace[] {
  return traces
    .filter((trace) => trace.task === task && trace.purpose === 'train')
    .sort((a, b) => inOrder.compare(a.id, b.id));
}

/** One task with all its attempts of an epoch, of which at most one good and one bad are shown. */
export function sampleTask(chosen: SampledTask, task: Task, own: readonly Trace[], text: TextCut): SampleTask {
  const judged = own.filter(({ verdict }) => verdict.error === undefined);
  const good = judged.find(({ verdict }) => verdict.success);
  // Of the failures the nearest miss teaches a reader most.
  const bad = judged
    .filter(({ verdict }) => !verdict.success)
    .reduce<Trace | undefined>((a, b) => (a === undefined || b.verdict.reward > a.verdict.reward ? b : a), undefined);
  const { family } = chosen;
  return {
    id: task.id,
    family: family.id,
    ...defined({ domain: family.domain }),
    origin: family.origin,
    successRate: successRate(chosen.successes, chosen.attempts),
    plan: text.shorten(task.plan),
    complexity: task.complexity,
    prompt: (own[0] === undefined ? task.prompt : promptOf(own[0], task)).map(({ role, content }) => ({
      role,
      content: text.shorten(content),
    })),
    gold: task.gold === null ? null : text.shorten(task.gold),
    attempts: own.map(({ verdict }) => (verdict.error !== undefined ? '?' : verdict.success ? '1' : '0')).join(''),
    shown: [good, bad].flatMap((trace) => (trace === undefined ? [] : [sampleAttempt(trace, text)])),
  };
}

function sampleAttempt(trace: Trace, text: TextCut): SampleAttempt {
  const { success, reward, note } = trace.verdict;
  const turns = trace.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content);
  return {
    id: trace.id,
    success,
    reward,
    stopReason: trace.stopReason,
    answer: text.shorten(turns.join('\n')),
    branches: trace.branches?.length ?? 0,
    note: note === undefined ? null : text.shorten(note),
  };
}
