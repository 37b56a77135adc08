import type { Trace } from '../../../shared/records/trace.ts';
import type { Completion } from '../../completion.ts';

/**
 * Why a led attempt stopped: it had no answer left, or its newest one was cut at its length.
 * @param newest answers to the last question that had some; cut only where each of them is
 */
export function ledStopReason(
  refused: boolean,
  newest: readonly Pick<Completion, 'stopReason'>[],
): Trace['stopReason'] {
  if (refused) return 'turns';
  return newest.length > 0 && newest.every(({ stopReason }) => stopReason === 'length') ? 'length' : 'stop';
}
