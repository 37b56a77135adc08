/** Success rates, environment rewards and the difficulty filter over one epoch's attempts (Eq. 2, Eq. 3, §2.2.2). */
import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { mean } from '../loop.ts';
import { effectiveSampleSize, environmentReward, inBand, keepShare, regressionWeights } from '../math/curriculum.ts';
import { estimateOf, pooled } from '../math/successRate.ts';

type Outcome = Omit<EventOf<'families.scored'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'>;

/** What scoring reads of one task's attempts. */
export interface JudgedGroup {
  task: Pick<Task, 'id' | 'family' | 'seed' | 'origin' | 'plan' | 'complexity'>;
  traces: readonly { verdict: Pick<Verdict, 'success' | 'error'> }[];
}

interface Counted {
  id: string;
  successes: number;
  attempts: number;
}

/** k and n of one task. A checker that failed is neither success nor failure. */
function countOf({ task, traces }: JudgedGroup): Counted {
  const judged = traces.filter(({ verdict }) => verdict.error === undefined);
  return { id: task.id, successes: judged.filter(({ verdict }) => verdict.success).length, attempts: judged.length };
}

/** Scores an epoch's families. `warm`: the filter is off in warm-up epochs. */
export function scoreFamilies(
  calibrated: readonly JudgedGroup[],
  mixed: readonly JudgedGroup[],
  curriculum: Curriculum,
  warm: boolean,
): Outcome {
  const families = [...Map.groupBy(calibrated, ({ task }) => task.family)].map(([id, groups]) => ({
    id,
    groups,
    counts: groups.map(countOf),
  }));
  const all = pooled(families.flatMap(({ counts }) => counts));
  const estimate = (unit: Omit<Counted, 'id'>): number =>
    estimateOf(unit.successes, unit.attempts, curriculum.estimate);
  const filter = warm ? 'off' : curriculum.filter;

  /** The p̂ that decides for one task: its own, its family's, or the epoch's. */
  const deciding = (counts: readonly Counted[], task: Counted): number => {
    if (curriculum.scope === 'epoch') return estimate(all);
    return estimate(curriculum.scope === 'task' ? task : pooled(counts));
  };
  const units = families.flatMap(({ counts }) =>
    counts.map((task) => {
      const p = deciding(counts, task);
      return {
        p,
        reward: environmentReward(p, curriculum),
        keep: task.attempts === 0 ? 0 : keepShare(p, filter, curriculum),
      };
    }),
  );
  const weights = regressionWeights(units, curriculum.lambda);

  let next = 0;
  const scored = families.map(({ id, groups, counts }): FamilyScore => {
    const own = units.slice(next, next + counts.length);
    const tasks = counts.map((count, i) => ({
      ...count,
      environmentReward: own[i]?.reward ?? 0,
      weight: weights[next + i] ?? 0,
    }));
    next += counts.length;
    const first = groups[0]?.task;
    return {
      id,
      seed: first?.seed ?? null,
      origin: first?.origin === 'offline' ? 'offline' : 'generated',
      plan: first?.plan ?? '',
      tasks,
      successRate: pooled(counts),
      estimate: average(own.map(({ p }) => p)),
      environmentReward: average(own.map(({ reward }) => reward)),
      kept: average(own.map(({ keep }) => keep)),
      weight: tasks.reduce((sum, { weight }) => sum + weight, 0),
      complexity: meanComplexity(groups),
    };
  });
  const bandOf = ({ successRate }: FamilyScore): boolean => successRate.p !== null && inBand(successRate.p, curriculum);
  return {
    scope: curriculum.scope,
    families: scored,
    successRate: all,
    baseSuccessRate: pooled(mixed.map(countOf)),
    inBand: average(scored.map((family) => (bandOf(family) ? 1 : 0))),
    environmentReward: average(scored.map((family) => family.environmentReward)),
    familiesKept: scored.filter(({ kept }) => kept > 0).length,
    effectiveSampleSize: effectiveSampleSize(scored.map(({ weight }) => weight)),
  };
}

const average = (values: readonly number[]): number => mean(values) ?? 0;

function meanComplexity(groups: readonly JudgedGroup[]): Record<string, number> {
  const names = new Set(groups.flatMap(({ task }) => Object.keys(task.complexity)));
  return Object.fromEntries(
    [...names].map((name) => [name, average(groups.map(({ task }) => task.complexity[name] ?? 0))]),
  );
}
