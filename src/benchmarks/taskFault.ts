import { ReasonedError } from '../shared/reasonedError.ts';
import type { Rejection } from '../shared/records/task.ts';

/** Why a text is not a task of its domain; `reason` is what the run counts, the message is for a person. */
export class TaskFault extends ReasonedError<Rejection> {
  override readonly name = 'TaskFault';
}

/** Runs a check; a fault becomes its answer. */
export function judged<T>(check: () => T): { ok: true; value: T } | { ok: false; cause: Rejection; note: string } {
  try {
    return { ok: true, value: check() };
  } catch (error) {
    if (error instanceof TaskFault) return { ok: false, cause: error.reason, note: error.message };
    throw error;
  }
}
