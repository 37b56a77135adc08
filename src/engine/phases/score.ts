/** Success rates, environment rewards and the difficulty filter over one epoch's attempts (Eq. 2, Eq. 3, §2.2.2). */
import type { EventOf, FamilyScore } from '../../shared/journal/events.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import type { DomainPart } from '../../shared/experiment/tasks/domains.ts';
import { figuresOf } from '../byDomain.ts';
import { mean } from '../loop.ts';
import { assumedCorrelation, clusteredRate, epochRates } from '../math/written/clusters.ts';
import { inBand as isInBand } from '../math/curriculum.ts';
import { groupKind } from '../math/advantage.ts';
import { endDifferently } from '../math/teaching.ts';
import { scoreEpoch, type FamilyCounts, type ScoringSettings } from '../math/scoring.ts';
import { successRate } from '../math/successRate.ts';
import { triesOf } from './groups.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { defined } from '../../shared/defined.ts';

type Outcome = Omit<EventOf<'families.scored'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'>;

/** The curriculum in force: λ is 0 where weights do not follow it, `keepBest` is that of rejection fine-tuning. */
export type ScoringCurriculum = Curriculum & Pick<ScoringSettings, 'keepBest'>;

/** The part of a task's attempts that scoring reads. */
export interface JudgedGroup {
  task: Pick<Task, 'id' | 'family' | 'seed' | 'origin' | 'plan' | 'complexity' | 'domain'>;
  traces: readonly { verdict: Pick<Verdict, 'success' | 'error' | 'reward'> }[];
}

/** The reward kind's measurements beside counts, by task; some tasks may have none. */
export type Signals = ReadonlyMap<string, number>;

const none: Signals = new Map();

interface Counted {
  id: string;
  successes: number;
  attempts: number;
  signal?: number | undefined;
}

function withSignal(count: Counted, signals: Signals): Counted {
  const signal = signals.get(count.id);
  return signal === undefined ? count : { ...count, signal };
}

/** Where the counts do not say it: a group's rewards may differ although its attempts all failed. */
function teachesOf({ traces }: JudgedGroup, { successes, attempts }: Counted): boolean | undefined {
  if (attempts < 2) return undefined;
  const teaches =
    groupKind(traces.flatMap(({ verdict }) => (verdict.error === undefined ? verdict : []))) === 'trained';
  return teaches === endDifferently({ successes, attempts }) ? undefined : teaches;
}

const countOf = ({ task, traces }: JudgedGroup): Counted => ({ id: task.id, ...triesOf(traces) });

/**
 * Scores an epoch's families. `warm`: the filter is off in warm-up epochs. α, β, λ and k_min hold for every domain, and
 * weights are normalised over all of them together. `cutOff`: attempts of families that were not made.
 */
export function scoreFamilies(
  calibrated: readonly JudgedGroup[],
  mixed: readonly JudgedGroup[],
  curriculum: ScoringCurriculum,
  warm: boolean,
  domains: readonly DomainPart[] | null = null,
  signals: Signals = none,
  cutOff: ReadonlyMap<string, number> = none,
): Outcome {
  const families = [...Map.groupBy(calibrated, ({ task }) => task.family)].map(([id, groups]) => ({
    id,
    groups,
    counts: groups.map(countOf),
  }));
  const { scope, estimate } = curriculum;
  const filter = warm ? 'off' : curriculum.filter;
  const how = { from: 0, to: families.length, scope, estimate, filter, signalOf: curriculum.reward.kind };
  const columns = columnsOf(families.map(({ counts }) => counts.map((one) => withSignal(one, signals))));
  const scores = scoreEpoch(columns, how, curriculum);
  const rates = epochRates(families.map(({ counts }) => counts));

  let task = 0;
  const scored = families.map(({ id, groups, counts }, family): FamilyScore => {
    const first = groups[0]?.task;
    return {
      id,
      seed: first?.seed ?? null,
      ...defined({ domain: first?.domain }),
      origin: first?.origin === 'offline' ? 'offline' : 'generated',
      plan: first?.plan ?? '',
      tasks: counts.map((count, i) => {
        const at = task++;
        const [{ reward, known }, weight] = [scores.tasks[at] ?? outOfRange(), scores.taskWeight[at] ?? outOfRange()];
        const teaches = teachesOf(groups[i] ?? outOfRange(), count);
        return {
          ...withSignal(count, signals),
          ...defined({ teaches }),
          environmentReward: known ? reward : null,
          weight,
        };
      }),
      successRate: rates.families[family] ?? successRate(0, 0),
      ...defined({ cutOff: cutOff.get(id) }),
      estimate: scores.estimate[family] ?? outOfRange(),
      environmentReward: knownOnly(scores.reward[family] ?? outOfRange()),
      kept: scores.kept[family] ?? outOfRange(),
      weight: scores.weight[family] ?? outOfRange(),
      complexity: meanComplexity(groups),
    };
  });
  const { inBand, environmentReward, familiesKept, effectiveSampleSize } = scores;
  return {
    scope,
    families: scored,
    successRate: rates.epoch,
    baseSuccessRate: rateOfMixed(mixed),
    ...{ inBand, environmentReward, familiesKept, effectiveSampleSize },
    ...figuresOf(domains, (name) => {
      const own = scored.filter(({ domain }) => domain === name);
      const inside = own.filter(({ successRate: { successes, attempts } }) =>
        isInBand(successes / attempts, curriculum),
      );
      return {
        families: own.length,
        successRate: epochRates(own.map(({ tasks }) => tasks)).epoch,
        baseSuccessRate: rateOfMixed(mixed.filter(({ task }) => task.domain === name)),
        inBand: own.length === 0 ? 0 : inside.length / own.length,
        environmentReward: mean(own.flatMap((family) => family.environmentReward ?? [])),
        familiesKept: own.filter(({ kept }) => kept > 0).length,
        weight: own.reduce((sum, { weight }) => sum + weight, 0),
      };
    }),
  };
}

const rateOfMixed = (groups: readonly JudgedGroup[]): SuccessRate =>
  clusteredRate(groups.map(countOf), assumedCorrelation.task);

/** The families' counts as scoring reads them. */
export function columnsOf(families: readonly (readonly Counted[])[]): FamilyCounts {
  const tasks = families.flat();
  const taskFrom = [0];
  for (const own of families) taskFrom.push((taskFrom.at(-1) ?? 0) + own.length);
  const sum = (of: (task: Counted) => number) => families.map((own) => own.reduce((all, task) => all + of(task), 0));
  return {
    successes: sum(({ successes }) => successes),
    attempts: sum(({ attempts }) => attempts),
    taskFrom,
    taskSuccesses: tasks.map(({ successes }) => successes),
    taskAttempts: tasks.map(({ attempts }) => attempts),
    taskSignals: tasks.map(({ signal }) => signal ?? NaN),
  };
}

/** NaN stands for what is not known. */
const knownOnly = (value: number): number | null => (Number.isNaN(value) ? null : value);

const average = (values: readonly number[]): number => mean(values) ?? 0;

function meanComplexity(groups: readonly JudgedGroup[]): Record<string, number> {
  const names = new Set(groups.flatMap(({ task }) => Object.keys(task.complexity)));
  return Object.fromEntries(
    [...names].map((name) => [name, average(groups.map(({ task }) => task.complexity[name] ?? 0))]),
  );
}
