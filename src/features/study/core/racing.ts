/** Which arms need no further runs: off unless a study enables it, and reported in its result. */
import type { MemberSummary, Study } from '../contract/file.ts';
import type { Plan } from './plan.ts';
import { headOf } from './results.ts';
import { differenceOf, mean, sequentialEvidence } from '../../../engine/math/paired/tests.ts';
import { measured, rolloutsOfNever } from './summary.ts';
import { englishPrecise } from '../../../shared/text/figures/englishFigures.ts';

export interface Dropped {
  arm: string;
  why: string;
}

type SummaryOf = (member: string) => MemberSummary | null;

/** An arm's values of the first measure, a seed each. */
function valuesOf({ measures, seeds }: Study, plan: Plan, summaryOf: SummaryOf): (arm: string) => (number | null)[] {
  const [measure] = measures;
  const summaries = new Map(plan.members.map(({ name, arm, seed }) => [`${arm}\n${seed}`, summaryOf(name)] as const));
  const never = rolloutsOfNever(plan.budget, summaries.values());
  return (arm) =>
    seeds.map((seed) => {
      const summary = summaries.get(`${arm}\n${seed}`) ?? null;
      return summary === null || measure === undefined ? null : measured(measure, summary, never);
    });
}

const referenceOf = ({ comparison }: Study, { arms }: Plan): string => comparison.reference ?? arms[0]?.name ?? '';

/**
 * Arms that end after a round of successive halving: all but the best share. The reference always continues, and so do
 * arms that were not measured in time.
 */
export function halve(
  study: Study,
  plan: Plan,
  dropped: ReadonlyMap<string, string>,
  keep: number,
  round: number,
  rounds: number,
  summaryOf: SummaryOf,
): Dropped[] {
  const [measure] = study.measures;
  const higher = measure === undefined || headOf(measure).higher;
  const reference = referenceOf(study, plan);
  const alive = plan.arms.filter(({ name }) => !dropped.has(name));
  const valuesBy = valuesOf(study, plan, summaryOf);
  const ranked = alive
    .flatMap(({ name }) => {
      const values = valuesBy(name).filter((value) => value !== null);
      return values.length === 0 ? [] : [{ name, score: (higher ? 1 : -1) * mean(values) }];
    })
    .sort((a, b) => b.score - a.score);
  const left = Math.max(1, Math.ceil(ranked.length * keep));
  return ranked.flatMap(({ name }, rank) =>
    rank < left || name === reference
      ? []
      : [
          {
            arm: name,
            why: `stopped after ${round} of ${rounds} parts of the budget, at rank ${rank + 1} of ${ranked.length} arms.`,
          },
        ],
  );
}

/**
 * Arms that an always-valid test distinguishes from the reference after so many seeds: their e-value reached the number
 * of arms over the level (Bonferroni). Equal arms are ended wrongly with a probability below the level, at any time of
 * looking.
 */
export function sequentialDecisions(
  study: Study,
  plan: Plan,
  dropped: ReadonlyMap<string, string>,
  seeds: number,
  summaryOf: SummaryOf,
): Dropped[] {
  const reference = referenceOf(study, plan);
  const valuesBy = valuesOf(study, plan, summaryOf);
  const theirs = valuesBy(reference);
  const needed = (plan.arms.length - 1) / study.comparison.level;
  return plan.arms.flatMap(({ name }) => {
    if (name === reference || dropped.has(name)) return [];
    const differences = valuesBy(name).flatMap((value, i) => {
      const other = theirs[i] ?? null;
      return value === null || other === null || i >= seeds ? [] : [differenceOf(value, other)];
    });
    const evidence = sequentialEvidence(differences);
    if (evidence < needed) return [];
    const size = Number.isFinite(evidence) ? englishPrecise(evidence, 3) : 'without limit';
    const why = `told from ${reference} after ${seeds} seeds, e-value ${size} (needed: ${englishPrecise(needed, 3)}).`;
    return [{ arm: name, why }];
  });
}
