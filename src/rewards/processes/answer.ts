/** The outcome of a call, from its process's reply. */
import * as l10n from '@vscode/l10n';
import type { RewardCall } from '../../shared/rewards/given.ts';
import type { RewardFault, RewardOutcome } from '../../shared/rewards/outcome.ts';
import { errorVerdict, readResult, verdictOf } from '../../shared/rewards/result.ts';
import { asNumbers } from '../../shared/writtenNumbers.ts';
import type { Reply } from './wire.ts';

/** The call that is answered. */
interface Asked {
  stopReason: RewardCall['trace']['stopReason'];
  output: string;
}

export function answered(reply: Extract<Reply, { id: number }>, { stopReason, output }: Asked): RewardOutcome {
  if (reply.t === 'gave') {
    const read = readResult(asNumbers(reply.value));
    if ('result' in read) return { verdict: verdictOf(read.result, stopReason), fault: null, output };
    return failed({ reason: 'result', message: read.fault, stack: null, at: null }, output);
  }
  const { reason, message, stack, at } = reply;
  const words = reason === 'rejection' ? l10n.t('A promise was rejected unhandled: {0}', message) : message;
  return failed({ reason, message: words, stack, at }, output);
}

/** The outcome without a judgement. */
export const failed = (fault: RewardFault, output: string): RewardOutcome => ({
  verdict: errorVerdict(faultSentence(fault)),
  fault,
  output,
});

/** A fault in one sentence with its place. */
export const faultSentence = ({ message, at }: RewardFault): string =>
  at === null ? message : `${message} (${at.file}:${at.line}:${at.column})`;
