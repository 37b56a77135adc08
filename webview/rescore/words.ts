/** A rescoring's results, in sentences. */
import * as l10n from '@vscode/l10n';
import type { RescoreResult } from '../../src/features/rescore/contract/page.ts';
import { count, measure, number } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';

/** `31 of 2,048 attempts flip: 20 to solved, 11 to not solved · 1 family enters the band, 4 leave it`. */
export function headline({ attempts, rows, rewardsMoved, families }: RescoreResult): string {
  const kinds = [
    ...(rows.solved === 0 ? [] : [l10n.t('{0} to solved', count(rows.solved))]),
    ...(rows.failed === 0 ? [] : [l10n.t('{0} to not solved', count(rows.failed))]),
    ...(rows.error === 0 ? [] : [l10n.t('{0} to not judged', count(rows.error))]),
  ];
  const flips =
    rows.flips === 0
      ? l10n.t('None of {0} attempts flips', count(attempts))
      : l10n.t('{0} of {1} attempts flip: {2}', count(rows.flips), count(attempts), kinds.join(', '));
  const moved =
    rewardsMoved === 0 ? [] : [l10n.t('{0} get a different reward but keep their verdict', count(rewardsMoved))];
  const crossed = l10n.t('{0} of {1} families enter or leave the band', count(rows.families), count(families));
  return [flips, ...moved, crossed].join(' · ');
}

/** Its effect on both updates. */
export function learning({ advantages, weightMoved, effectiveSampleSize }: RescoreResult): string[] {
  const { groups, attempts, turned, gained, lost, meanChange } = advantages;
  return [
    l10n.t(
      'GRPO: {0} of {1} advantages change sign, {2} come up, {3} vanish; they move by {4} in the mean. Groups that teach: {5} → {6}.',
      count(turned),
      count(attempts),
      count(gained),
      count(lost),
      number(meanChange),
      count(groups.before),
      count(groups.after),
    ),
    weightMoved === null || effectiveSampleSize.after === null
      ? l10n.t(
          'RWR: R_env, families kept and weights under this reward are not known, for the file of curriculum.reward.kind “file” is not asked again.',
        )
      : l10n.t(
          'RWR: {0} of the weight goes to other families; effective sample size {1} → {2}, the mean of epochs.',
          percent(weightMoved),
          measure(effectiveSampleSize.before),
          measure(effectiveSampleSize.after),
        ),
  ];
}
