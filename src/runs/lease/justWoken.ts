/** Whether this machine may have slept a moment ago. */

/** Milliseconds between two questions beyond which there may have been a sleep, and after which all others are awake, too. */
const momentMs = 15_000;

/** Milliseconds since the Unix epoch, by the machine's clock, which runs in its sleep. */
let [asked, woken] = [Date.now(), -Infinity];

/** Who asks seldom has always just woken; who looks every few seconds knows it. */
export function hasJustWoken(now = Date.now()): boolean {
  if (Math.abs(now - asked) > momentMs) woken = now;
  asked = now;
  return Math.abs(now - woken) <= momentMs;
}
