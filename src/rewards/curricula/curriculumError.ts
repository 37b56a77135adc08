/** A curriculum file that gave no rewards for an epoch: nothing is scored, so that nothing wrong is learned. */
import * as l10n from '@vscode/l10n';
import type { RewardFault } from '../../shared/rewards/outcome.ts';

export class CurriculumError extends Error {
  override readonly name = 'CurriculumError';
  readonly reason = 'curriculum';

  /** @param why as a clause, with its place where it has one */
  constructor(file: string, why: string, remedy = 'Correct the file, then branch the run or start another.') {
    super(l10n.t('The curriculum file {0} gave no rewards: {1}. {2}', file, why.replace(/[.]$/, ''), remedy));
  }

  static is(error: unknown): error is CurriculumError {
    return error instanceof CurriculumError;
  }
}

/** The remedy beside a correction of the file. */
export const remedyOf = ({ reason }: Pick<RewardFault, 'reason'>): string | undefined =>
  reason === 'timeout'
    ? l10n.t(
        'Resume the run if the machine was busy; else make the file faster, or raise reward.seconds, and branch the run.',
      )
    : reason === 'memory'
      ? l10n.t('Have it use less memory, or raise reward.megabytes, and branch the run.')
      : undefined;
