/** The run's work, time and cost, before it starts: one line. */
import * as l10n from '@vscode/l10n';
import type { FormBasis, FormBranch } from '../../src/features/experiment/contract.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { countsHeldOut, noCounts, withCounts, type TaskCounts } from '../../src/shared/experiment/tasks/taskCounts.ts';
import { endsAtEarliest, untilEnd } from '../../src/shared/money/untilEnd.ts';
import { expectedWork, type Workload } from '../../src/shared/experiment/workload.ts';
import { forecast, workAtPace } from '../../src/shared/money/forecast.ts';
import { sharedWork } from '../../src/shared/money/sharedWork.ts';
import { approximate, count } from '../../src/shared/text/figures/numbers.ts';
import { expected } from '../lib/forms/expected.ts';

/**
 * @param basis undefined before the host has told it
 * @param branch of the draft of one: what it shares with its run costs nothing again, and counts in budgets
 */
export function workWords(
  experiment: Experiment,
  basis: FormBasis | undefined,
  branch: Pick<FormBranch, 'epoch' | 'shared'> | null,
): string {
  const counts = countsOf(basis);
  const counted = withCounts(experiment, counts);
  const before = sharedWork(branch, experiment);
  const { epochs: shared } = before;
  const all = expectedWork(counted, null, counts.heldOut, before);
  const pace = basis?.pace ?? null;
  const work = pace === null ? untilEnd(all) : workAtPace(counted, all, pace);
  if (work.ends?.epochs === 0)
    return l10n.t('no epoch of its own: those that it shares have spent the {0} budget', work.ends.by);
  const { rollouts, validation, tokens, fewBase, ends } = work;
  const most = l10n.t(
    'up to {0} tokens an epoch, {1} in all, prompts not counted',
    approximate(tokens.epoch),
    approximate(tokens.run),
  );
  const parts = [
    fewBase
      ? l10n.t('at most {0} rollouts an epoch, {1} in all', count(rollouts.epoch), approximate(rollouts.run))
      : l10n.t('{0} rollouts an epoch, {1} in all', count(rollouts.epoch), approximate(rollouts.run)),
    ...(validation.run === 0
      ? []
      : countsHeldOut(counted, counts)
        ? [l10n.t('{0} more to validate', approximate(validation.run))]
        : [l10n.t('at most {0} more to validate', approximate(validation.run))]),
    ...evaluationWords(counted, work),
    ...(pace === null ? [most] : expected(forecast(counted, work, pace))),
    ...(basis?.pace === null
      ? [l10n.t('time and cost: “Check” tells them, and the first finished epoch on these endpoints')]
      : []),
    ...(ends !== null && endsAtEarliest(work)
      ? [l10n.t('the {0} budget ends it after epoch {1} at the earliest', ends.by, count(shared + ends.epochs))]
      : []),
  ];
  return `${scopeWords(work, shared)}: ${parts.join(' · ')}`;
}

function countsOf(basis: FormBasis | undefined): TaskCounts {
  if (basis === undefined) return noCounts;
  const { base, heldOut, evaluation } = basis.counts;
  return { base: new Map(Object.entries(base)), heldOut: new Map(Object.entries(heldOut)), evaluation };
}

/** The epochs that the line tells of. */
function scopeWords(work: Workload, shared: number): string {
  const { epochs, ends } = work;
  const last = count(shared + epochs);
  if (ends !== null && !endsAtEarliest(work)) {
    return shared === 0 || epochs === 1
      ? l10n.t('until the {0} budget ends it after epoch {1}', ends.by, last)
      : l10n.t('epochs {0} to {1}, until the {2} budget ends it', count(shared + 1), last, ends.by);
  }
  if (shared > 0)
    return epochs === 1 ? l10n.t('epoch {0}', last) : l10n.t('epochs {0} to {1}', count(shared + 1), last);
  return epochs === 1 ? l10n.t('1 epoch') : l10n.t('all {0} epochs', last);
}

function evaluationWords({ evaluation: settings }: Experiment, { evaluation }: Workload): string[] {
  if (evaluation.run > 0) return [l10n.t('{0} more at the benchmark', approximate(evaluation.run))];
  const isOpen = settings.every > 0 && settings.adapter !== null && settings.sample === null;
  return isOpen ? [l10n.t('more at the benchmark, whose tasks “Check” counts')] : [];
}
