/** Finished runs that did not come to spend their study's budget. */
import * as l10n from '@vscode/l10n';
import type { Ending } from '../../../shared/journal/events.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Place, Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Budget, BudgetKind, MemberSummary } from '../contract/file.ts';
import { significant } from '../../../shared/text/figures/numbers.ts';

const endingOf: Readonly<Record<Exclude<BudgetKind, 'updates'>, Ending>> = {
  rollouts: 'budget-rollouts',
  tokens: 'budget-tokens',
  seconds: 'budget-seconds',
};

/**
 * Epochs without an update of the agent leave less than a budget of updates, although all epochs are done. Tokens that are
 * not known count in no budget.
 */
const isShort = ({ kind, amount }: Budget, summary: MemberSummary): boolean =>
  (kind === 'updates' || summary.ending !== endingOf[kind]) && (summary[kind] ?? 0) < amount;

function words(): ReadonlyMap<string, string> {
  const all: Record<Ending, string> = {
    epochs: l10n.t('all epochs done'),
    'budget-tokens': l10n.t('token budget used up'),
    'budget-rollouts': l10n.t('rollout budget used up'),
    'budget-seconds': l10n.t('time budget used up'),
    'budget-cost': l10n.t('budget of money used up'),
    'budget-hours': l10n.t('budget of hours used up'),
    'early-stop': l10n.t('validation no longer improved'),
    'no-tasks': l10n.t('no usable task written'),
  };
  return new Map(Object.entries(all));
}

/** A sentence for each arm that has such runs. */
export function shortSentences(
  budget: Budget,
  arms: readonly { name: string; runs: readonly MemberSummary[] }[],
): string[] {
  const said = words();
  return arms.flatMap(({ name, runs }) => {
    const short = runs.filter((run) => isShort(budget, run));
    if (short.length === 0) return [];
    const why = [...new Set(short.map(({ ending }) => said.get(ending) ?? ending))].join(', ');
    return [
      l10n.t(
        '{0}: of {1} finished runs {2} ended before the study’s budget was spent ({3}), and count although they had less.',
        name,
        runs.length,
        short.length,
        why,
      ),
    ];
  });
}

/** Limits of the base that protect money stay in force, and may end a run before its budget is spent. */
export function limitWarnings({ budget }: Experiment, placeOf: (field: string) => Place): Problem[] {
  const remedy = l10n.t('Remove it from the base, or keep it as a guard: the results tell which runs it ended.');
  const warning = (field: string, message: string): Problem => ({
    ...placeOf(field),
    ...{ field, message, remedy, severity: 'warning' },
  });
  const { hours, cost } = budget;
  const tooEarly = l10n.t('Such a run has less than the study’s budget, and is compared all the same.');
  return [
    ...(hours === null
      ? []
      : [
          warning(
            'budget.hours',
            `${l10n.t('The base ends each run after {0} hours.', significant(hours, 3))} ${tooEarly}`,
          ),
        ]),
    ...(cost === null
      ? []
      : [
          warning(
            'budget.cost',
            `${l10n.t('The base ends each run at a cost of {0}.', significant(cost, 3))} ${tooEarly}`,
          ),
        ]),
  ];
}
