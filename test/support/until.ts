import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A look takes processor time from what is waited for, so who waits long looks less often.
 * @param waited milliseconds so far
 */
const pause = (waited: number, [least, most]: [number, number]): Promise<void> =>
  sleep(Math.min(most, Math.max(least, waited / 20)));

/**
 * Waits for what only shows itself by being looked for: something that is neither undefined nor false.
 * @throws Error that says what was waited for
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 120,
): Promise<T> {
  for (const begun = Date.now(); Date.now() < begun + seconds * 1000;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await pause(Date.now() - begun, [20, 100]);
  }
  throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
}

/**
 * Asserts again until it holds: a page shows what an action led to a moment later, and on a busy machine later still.
 * @throws what the last try failed by
 */
export async function eventually(assertion: () => Promise<void>, seconds = 60): Promise<void> {
  for (const begun = Date.now(); ;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() > begun + seconds * 1000) throw error;
    }
    await pause(Date.now() - begun, [50, 200]);
  }
}
