/** Why a reward gave no verdict, reported once for all affected attempts. */
import type { RewardFault } from '../../../shared/rewards/outcome.ts';

export interface FaultGroup {
  /** As reported for the first attempt. */
  fault: RewardFault;
  /** That attempt's trace. */
  trace: string;
  attempts: number;
}

/** More places than these are only counted. */
const most = 50;

export class FaultGroups {
  readonly #groups = new Map<string, FaultGroup>();
  /** Attempts whose place has no group of its own. */
  others = 0;

  /** In the order in which they came. */
  get groups(): readonly FaultGroup[] {
    return [...this.#groups.values()];
  }

  add(fault: RewardFault, trace: string): void {
    const { at, reason, message } = fault;
    // At one place, messages may contain values that differ between attempts.
    const key = at === null ? `${reason} ${message}` : `${reason} ${at.file}:${at.line}:${at.column}`;
    const group = this.#groups.get(key);
    if (group !== undefined) group.attempts += 1;
    else if (this.#groups.size < most) this.#groups.set(key, { fault, trace, attempts: 1 });
    else this.others += 1;
  }
}
