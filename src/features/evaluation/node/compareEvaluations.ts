/** Two evaluations on the tasks that both asked, task by task. */
import * as l10n from '@vscode/l10n';
import { bootstrapMean } from '../../../engine/math/paired/bootstrapMean.ts';
import { exactMcNemar } from '../../../engine/math/paired/mcnemar.ts';
import { answeredOnly, type Outcome } from '../../../benchmarks/evaluate/outcome.ts';
import type { Tries } from '../../../engine/math/passAtK.ts';
import { pairedDifference, type PairedDifference } from '../../../engine/math/paired/proportions.ts';
import { EvaluationError } from './evaluationError.ts';
import { extentOf, type StoredEvaluation } from './evaluationFolder.ts';
import { sharedOutcomes, type OutcomePair } from './sharedOutcomes.ts';

/** `mcnemar` where both have one attempt a task, `bootstrap` where one has more. Differences are second minus first. */
export type EvaluationComparison = {
  /** Tasks that both asked. */
  tasks: number;
  /** Of all tasks of either, those that only one has. */
  unshared: number;
  /** Ids of both that name different tasks: they are left out. */
  differing: number;
  /** pass@1 on the shared tasks, 0…1: unanswered and unjudged attempts are wrong. */
  first: number;
  second: number;
  /** The same over the tasks that both answered, of these attempts alone; null where nothing is missing. */
  answered: ({ tasks: number; first: number; second: number } & Interval) | null;
  /** The unfinished ones: for them only the present attempts count. */
  unfinished: readonly ('first' | 'second')[];
} & Paired;

interface Interval {
  difference: number;
  low: number;
  high: number;
}

type Paired = Interval &
  (({ method: 'mcnemar'; p: number } & Pick<PairedDifference, 'gained' | 'lost'>) | { method: 'bootstrap' });

/** @throws EvaluationError `not-comparable` */
export function compareEvaluations(first: StoredEvaluation, second: StoredEvaluation): EvaluationComparison {
  const [a, b] = [first.manifest.settings, second.manifest.settings];
  if (a.benchmark !== b.benchmark || a.rule !== b.rule) {
    const message = l10n.t(
      'One is of {0} by “{1}”, the other of {2} by “{3}”.',
      a.benchmark,
      a.rule,
      b.benchmark,
      b.rule,
    );
    throw new EvaluationError('not-comparable', message, l10n.t('Compare evaluations on the same benchmark.'));
  }
  if (a.judge?.version !== b.judge?.version || a.judge?.source !== b.judge?.source) {
    const remedy = l10n.t('Compare evaluations by the rule, or by the same judge.');
    throw new EvaluationError('not-comparable', l10n.t('They were not judged by the same model.'), remedy);
  }
  const { pairs, unshared, differing } = sharedOutcomes(first, second);
  if (pairs.length === 0) {
    const remedy = l10n.t('Evaluate both on the same splits, with the same sample and seed.');
    const message =
      differing === 0
        ? l10n.t('They share no task that both asked.')
        : l10n.t('The ids that both asked ({0}) name other tasks in one than in the other.', differing);
    throw new EvaluationError('not-comparable', message, remedy);
  }
  const answered = pairs.flatMap((pair) => {
    const [one, other] = [answeredOnly([pair.before])[0], answeredOnly([pair.after])[0]];
    return one === undefined || other === undefined ? [] : [{ before: one, after: other }];
  });
  const isWhole = pairs.every((pair) => [pair.before, pair.after].every(({ asked, attempts }) => asked === attempts));
  return {
    ...{ tasks: pairs.length, unshared, differing },
    ...meansOf(pairs),
    answered: isWhole || answered.length === 0 ? null : answeredDifference(answered),
    unfinished: [
      ...(extentOf(first).finished ? [] : (['first'] as const)),
      ...(extentOf(second).finished ? [] : (['second'] as const)),
    ],
    ...differenceOf(pairs),
  };
}

/** Whether most ids that both asked name different tasks: then the few left may be the same by chance alone. */
export const mostlyDiffer = ({ tasks, differing }: Pick<EvaluationComparison, 'tasks' | 'differing'>): boolean =>
  differing > tasks;

function differenceOf(pairs: readonly OutcomePair[]): Paired {
  const single = pairs.every((pair) => pair.before.asked === 1 && pair.after.asked === 1);
  const paired = single ? pairedDifference(triesOf(pairs, 'before'), triesOf(pairs, 'after')) : null;
  if (paired !== null) {
    const { gained, lost, difference, low, high } = paired;
    return { method: 'mcnemar', p: exactMcNemar(gained, lost), gained, lost, difference, low, high };
  }
  const { mean, low, high } = bootstrapMean(pairs.map((pair) => rateOf(pair.after) - rateOf(pair.before)));
  return { method: 'bootstrap', difference: mean, low, high };
}

function answeredDifference(pairs: readonly OutcomePair[]): NonNullable<EvaluationComparison['answered']> {
  const { difference, low, high } = differenceOf(pairs);
  return { tasks: pairs.length, ...meansOf(pairs), difference, low, high };
}

const meansOf = (pairs: readonly OutcomePair[]): { first: number; second: number } => ({
  first: mean(pairs.map((pair) => rateOf(pair.before))),
  second: mean(pairs.map((pair) => rateOf(pair.after))),
});

const rateOf = ({ successes, asked }: Outcome): number => successes / asked;

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const triesOf = (pairs: readonly OutcomePair[], side: keyof OutcomePair): Tries[] =>
  pairs.map((pair) => ({ successes: pair[side].successes, attempts: pair[side].asked }));
