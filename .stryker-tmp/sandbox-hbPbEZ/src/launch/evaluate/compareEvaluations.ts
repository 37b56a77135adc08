/** Two evaluations on the tasks that both attempted, task by task. */
import { bootstrapMean } from '../../benchmarks/evaluate/bootstrap.ts';
import { exactMcNemar } from '../../benchmarks/evaluate/mcnemar.ts';
import { outcomesOf, type Outcome } from '../../benchmarks/evaluate/outcome.ts';
import { pairedDifference, type PairedDifference } from '../../runs/paired.ts';
import { EvaluationError } from './evaluationError.ts';
import type { StoredEvaluation } from './evaluationFolder.ts';

/** `mcnemar` where both have one attempt a task, `bootstrap` where one has more. Differences are second minus first. */
export type EvaluationComparison = {
  /** Tasks that both have judged attempts at. */
  tasks: number;
  /** Of all tasks of either, those that only one has. */
  unshared: number;
  /** pass@1 on the shared tasks, 0…1. */
  first: number;
  second: number;
} & (
  | ({ method: 'mcnemar'; p: number } & Pick<PairedDifference, 'gained' | 'lost' | 'difference' | 'low' | 'high'>)
  | { method: 'bootstrap'; difference: number; low: number; high: number }
);

/** @throws EvaluationError `not-comparable` */
export function compareEvaluations(first: StoredEvaluation, second: StoredEvaluation): EvaluationComparison {
  const [a, b] = [first.manifest.settings, second.manifest.settings];
  if (a.benchmark !== b.benchmark || a.rule !== b.rule) {
    const message = `One is of ${a.benchmark} by “${a.rule}”, the other of ${b.benchmark} by “${b.rule}”.`;
    throw new EvaluationError('not-comparable', message, 'Compare evaluations on the same benchmark.');
  }
  if (a.judge?.version !== b.judge?.version || a.judge?.source !== b.judge?.source) {
    const remedy = 'Compare evaluations by the rule, or by the same judge.';
    throw new EvaluationError('not-comparable', 'They were not judged by the same model.', remedy);
  }
  const [before, after] = [judged(first), judged(second)];
  const pairs = [...before].flatMap(([task, one]) => {
    const other = after.get(task);
    return other === undefined ? [] : [{ before: one, after: other }];
  });
  if (pairs.length === 0) {
    const remedy = 'Evaluate both on the same splits, with the same sample and seed.';
    throw new EvaluationError('not-comparable', 'They share no task that both attempted.', remedy);
  }
  const rates = pairs.map((pair) => ({ before: rateOf(pair.before), after: rateOf(pair.after) }));
  const common = {
    tasks: pairs.length,
    unshared: before.size + after.size - 2 * pairs.length,
    first: mean(rates.map((one) => one.before)),
    second: mean(rates.map((one) => one.after)),
  };
  const single = pairs.every((pair) => pair.before.attempts === 1 && pair.after.attempts === 1);
  const paired = single ? pairedDifference(outcomes(pairs, 'before'), outcomes(pairs, 'after')) : null;
  if (paired !== null) {
    const { gained, lost, difference, low, high } = paired;
    return { ...common, method: 'mcnemar', p: exactMcNemar(gained, lost), gained, lost, difference, low, high };
  }
  const drawn = bootstrapMean(rates.map((one) => one.after - one.before));
  return { ...common, method: 'bootstrap', difference: drawn.mean, low: drawn.low, high: drawn.high };
}

const judged = ({ answers }: StoredEvaluation): Map<string, Outcome> =>
  new Map(outcomesOf(answers).flatMap((one) => (one.attempts === 0 ? [] : [[one.task, one]])));

const rateOf = ({ successes, attempts }: Outcome): number => successes / attempts;

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

type Side = 'before' | 'after';
const outcomes = (pairs: readonly Record<Side, Outcome>[], side: Side): { outcomes: string } => ({
  outcomes: pairs.map((pair) => (pair[side].successes > 0 ? '1' : '0')).join(''),
});
