/** The next state of an entry whose run has stopped: it ended, or waits for another try. */
import * as l10n from '@vscode/l10n';
import { atEpoch, nextTry } from '../../../shared/nextTry.ts';
import type { Landed, QueueEntryEvent } from '../contract.ts';
import type { QueueEntry } from './queue.ts';

export function afterLanding(
  entry: QueueEntry,
  { how, why, epoch }: Omit<Landed, 'type'>,
  now: number,
): QueueEntryEvent {
  const { run, retries } = entry;
  const next = nextTry(how, { epoch, tries: entry, retries });
  if (next !== null) {
    const { delay, milliseconds } = next;
    return { type: 'delayed', run, delay, why, until: now + milliseconds, epoch, lacks: null };
  }
  switch (how) {
    case 'finished':
    case 'paused':
    case 'stopped':
      return { type: 'ended', run, outcome: how, why };
    case 'interrupted':
      return { type: 'returned', run };
    case 'failed':
      return { type: 'ended', run, outcome: 'failed', why: afterTries(atEpoch(entry, epoch).failures + 1, why) };
    default:
      return { type: 'ended', run, outcome: 'failed', why };
  }
}

/** Of a run that was asked to pause: it is not tried again, whatever stopped it first. */
export function pausedOf<L extends Pick<Landed, 'how'>>(landed: L): L {
  return ['finished', 'stopped', 'gone'].includes(landed.how) ? landed : { ...landed, how: 'paused' };
}

const afterTries = (tries: number, why: string): string =>
  tries === 1 ? why : l10n.t('After {0} tries: {1}', tries, why);
