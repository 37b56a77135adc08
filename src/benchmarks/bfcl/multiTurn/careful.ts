/** Conversations that cannot be played or judged: told in words, where anything else is a fault of ours. */
import type { Verdict } from '../../../shared/records/trace.ts';
import { Unfit } from '../../rules/rule.ts';
import { OfficialStop } from '../officialStop.ts';
import { PythonFault } from '../python/fault.ts';

/** The reason why a task cannot be played; null where there is none. */
export function faultIn(check: () => string | null): string | null {
  try {
    return check();
  } catch (error) {
    if (error instanceof Unfit || error instanceof PythonFault) return error.message;
    throw error;
  }
}

/** A verdict; where the task does not fit, or the official program stops, one with the reason. */
export function carefully(judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof Unfit || error instanceof OfficialStop)) throw error;
    return { success: false, reward: 0, valid: false, error: error.message };
  }
}
