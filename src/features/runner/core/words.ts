/** Why an entry waits, in a sentence; for terminals and logs. */
import type { Wait } from '../contract.ts';
import { embedded } from './limits.ts';

const listed = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ');

/** @param now milliseconds */
export function waitText(wait: Wait, now: number): string {
  switch (wait.kind) {
    case 'turn':
      return 'starts next';
    case 'held':
      return 'waits: the queue is paused';
    case 'room':
      return 'waits: the limit of running runs is reached';
    case 'after':
      return `waits for ${listed(wait.runs)} to finish`;
    case 'lost':
      return `waits for ${listed(wait.runs)}, which did not finish: queue that again, or remove this one`;
    case 'endpoint':
      return wait.address === embedded
        ? `waits for this machine, which runs ${listed(wait.runs)}`
        : `waits for ${wait.address}, which ${listed(wait.runs)} asks`;
    case 'delay': {
      const when = wait.until === null ? '' : `, tried again in ${Math.max(0, Math.ceil((wait.until - now) / 1000))} s`;
      return `waits${when}: ${wait.why}`;
    }
  }
}
