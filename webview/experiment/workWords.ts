/** The run's work, time and cost, before it starts: one line. */
import * as l10n from '@vscode/l10n';
import type { FormForecast } from '../../src/features/experiment/contract.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { expectedWork } from '../../src/shared/experiment/workload.ts';
import { approximate, count } from '../../src/shared/text/figures/numbers.ts';
import { expected } from '../lib/expected.ts';

/**
 * @param forecast undefined before the host has told it; null where no run has measured a pace
 * @param shared the last epoch that a branch shares with its run, which costs nothing again; 0 for what is no branch
 */
export function workWords(experiment: Experiment, forecast: FormForecast | null | undefined, shared: number): string {
  const epochs = Math.max(1, experiment.epochs - shared);
  const { rollouts, validation, evaluation, tokens, ends, fewBase } = expectedWork({ ...experiment, epochs });
  const most = l10n.t(
    'up to {0} tokens an epoch, {1} in all, prompts not counted',
    approximate(tokens.epoch),
    approximate(tokens.run),
  );
  const limits = ends?.by === 'tokens' && forecast == null;
  const known = forecast == null ? ends : forecast.ends;
  const unknown = l10n.t('time and cost: “Check” tells them, and the first finished epoch on these endpoints');
  const parts = [
    ...(shared === 0 ? [] : [l10n.t('epochs {0} to {1}', count(shared + 1), count(shared + epochs))]),
    fewBase
      ? l10n.t('at most {0} rollouts an epoch, {1} in all', count(rollouts.epoch), approximate(rollouts.run))
      : l10n.t('{0} rollouts an epoch, {1} in all', count(rollouts.epoch), approximate(rollouts.run)),
    ...(validation.run === 0 ? [] : [l10n.t('{0} more to validate', approximate(validation.run))]),
    ...(evaluation.run === 0 ? [] : [l10n.t('{0} more at the benchmark', approximate(evaluation.run))]),
    ...(forecast == null ? [most] : expected(forecast)),
    ...(forecast === null ? [unknown] : []),
    ...(known === null
      ? []
      : limits
        ? [l10n.t('the {0} budget ends it after {1} epochs at the earliest', known.by, count(known.epochs))]
        : [l10n.t('the {0} budget ends it after {1} epochs', known.by, count(known.epochs))]),
  ];
  return parts.join(' · ');
}
