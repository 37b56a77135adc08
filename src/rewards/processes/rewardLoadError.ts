import type { RewardFault } from '../../shared/rewards/outcome.ts';

/**
 * A reward file that cannot be used: `missing` when it is not there, `interpreter` when its interpreter is missing, `load`
 * when the file itself fails.
 */
export class RewardLoadError extends Error {
  readonly reason: 'missing' | 'interpreter' | 'load' | 'name';
  readonly file: string;
  readonly at: RewardFault['at'];

  constructor(reason: RewardLoadError['reason'], file: string, message: string, at: RewardFault['at'] = null) {
    super(message);
    this.name = 'RewardLoadError';
    this.reason = reason;
    this.file = file;
    this.at = at;
  }
}
