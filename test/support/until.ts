import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for what only shows itself by being looked for: something that is neither undefined nor false.
 * @throws Error that says what was waited for
 */
export async function until<T>(
  what: string | (() => string),
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 120,
): Promise<T> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await sleep(20);
  }
  throw new Error(`Waited in vain for ${typeof what === 'string' ? what : what()}.`);
}

/**
 * Asserts again until it holds: a page shows what an action led to a moment later, and on a busy machine later still.
 * @throws what the last try failed by
 */
export async function eventually(assertion: () => Promise<void>, seconds = 60): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await sleep(50);
  }
}
