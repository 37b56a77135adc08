/** When a run that did not get to its end is tried again: pure, so that a queue and a study in a terminal agree. */

/** Milliseconds before the first next try; doubled by every further one. */
const firstTry = { failure: 2_000, server: 15_000, key: 15_000, disk: 30_000, busy: 500 } as const;
/** Milliseconds. */
export const longestWait = 10 * 60_000;

/**
 * Why it is put off: a server is away, a key is missing, the disk is full, another process writes it; `failure` is any
 * fault of its own.
 */
export type Delay = keyof typeof firstTry;

/** `interrupted`: it was asked. `gone`: no further try helps. */
export type How = 'finished' | 'paused' | 'stopped' | 'interrupted' | 'failed' | 'gone' | Exclude<Delay, 'failure'>;

/** Its tries so far. */
export interface Tries {
  /** Failures and crashes in a row, at one epoch. */
  failures: number;
  /** Delays for other reasons in a row: each waits longer. */
  delays: number;
  /** Epochs that were finished when it was put off last. */
  epoch: number;
}

export const noTries: Tries = { failures: 0, delays: 0, epoch: 0 };

const wait = (first: number, before: number): number => Math.min(longestWait, first * 2 ** Math.min(before, 16));

/**
 * An unreachable server is tried again without limit: it is no fault of the run. Crashes and failures count against the
 * retries; an epoch finished in between resets the count.
 * @param retries most tries after the first failure
 * @returns why and for how many milliseconds it waits; null where it is not tried again
 */
export function nextTry(
  how: How,
  { epoch, tries, retries }: { epoch: number; tries: Tries; retries: number },
): { delay: Delay; milliseconds: number } | null {
  const { failures, delays } = atEpoch(tries, epoch);
  switch (how) {
    case 'finished':
    case 'paused':
    case 'stopped':
    case 'interrupted':
    case 'gone':
      return null;
    case 'failed':
      return failures >= retries ? null : { delay: 'failure', milliseconds: wait(firstTry.failure, failures) };
    default:
      return { delay: how, milliseconds: wait(firstTry[how], delays) };
  }
}

/** With one more delay, after so many epochs. */
export function triesAfter(tries: Tries, delay: Delay, epoch: number): Tries {
  const { failures, delays } = atEpoch(tries, epoch);
  return delay === 'failure' ? { failures: failures + 1, delays: 0, epoch } : { failures, delays: delays + 1, epoch };
}

/** Those that count at an epoch. */
export const atEpoch = (tries: Tries, epoch: number): Tries => (tries.epoch === epoch ? tries : { ...noTries, epoch });
