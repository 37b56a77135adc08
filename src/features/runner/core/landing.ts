/** The next state of an entry whose run has stopped: it ended, or waits for another try. */
import * as l10n from '@vscode/l10n';
import type { Landed, QueueEntryEvent } from '../contract.ts';
import type { QueueEntry } from './queue.ts';

/** Milliseconds before the first next try; doubled by every further one. */
const firstTry = { failure: 2_000, server: 15_000, key: 15_000, disk: 30_000, busy: 500 } as const;
/** Milliseconds. */
export const longestWait = 10 * 60_000;

const wait = (first: number, before: number): number => Math.min(longestWait, first * 2 ** Math.min(before, 16));

/**
 * An unreachable server is retried without limit: it is no fault of the run. Crashes and failures count against the
 * entry's retries; an epoch finished in between resets the count.
 */
export function afterLanding(
  entry: QueueEntry,
  { how, why, epoch }: Omit<Landed, 'type'>,
  now: number,
): QueueEntryEvent {
  const { run } = entry;
  switch (how) {
    case 'finished':
    case 'paused':
    case 'stopped':
      return { type: 'ended', run, outcome: how, why };
    case 'gone':
      return { type: 'ended', run, outcome: 'failed', why };
    case 'interrupted':
      return { type: 'returned', run };
    case 'failed': {
      const failures = entry.epoch === epoch ? entry.failures : 0;
      if (failures >= entry.retries)
        return { type: 'ended', run, outcome: 'failed', why: afterTries(failures + 1, why) };
      const until = now + wait(firstTry.failure, failures);
      return { type: 'delayed', run, delay: 'failure', why, until, epoch, lacks: null };
    }
    default: {
      const delays = entry.epoch === epoch ? entry.delays : 0;
      const until = now + wait(firstTry[how], delays);
      return { type: 'delayed', run, delay: how, why, until, epoch, lacks: null };
    }
  }
}

/** Of a run that was asked to pause: it is not tried again, whatever stopped it first. */
export function pausedOf<L extends Pick<Landed, 'how'>>(landed: L): L {
  return ['finished', 'stopped', 'gone'].includes(landed.how) ? landed : { ...landed, how: 'paused' };
}

const afterTries = (tries: number, why: string): string =>
  tries === 1 ? why : l10n.t('After {0} tries: {1}', tries, why);
