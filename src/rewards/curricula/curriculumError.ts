/** A curriculum file that gave no rewards for an epoch: nothing is scored, so that nothing wrong is learned. */
import * as l10n from '@vscode/l10n';
import type { RewardFault } from '../../shared/rewards/outcome.ts';

export class CurriculumError extends Error {
  override readonly name = 'CurriculumError';
  readonly reason = 'curriculum';
  readonly epoch: number;

  /** @param why as a clause, with its place where it has one */
  constructor(file: string, epoch: number, why: string, remedy = 'Correct the file, then resume the run.') {
    super(l10n.t('The curriculum file {0} gave no rewards: {1}. {2}', file, why.replace(/[.]$/, ''), remedy));
    this.epoch = epoch;
  }

  static is(error: unknown): error is CurriculumError {
    return error instanceof CurriculumError;
  }
}

/** The remedy beside a correction of the file. */
export const remedyOf = ({ reason }: Pick<RewardFault, 'reason'>): string | undefined =>
  reason === 'timeout'
    ? l10n.t(
        'Make the file faster, or raise reward.seconds in the experiment’s file, then resume the run. If the machine was busy, only resume it.',
      )
    : reason === 'memory'
      ? l10n.t('Have it use less memory, or raise reward.megabytes in the experiment’s file, then resume the run.')
      : undefined;
