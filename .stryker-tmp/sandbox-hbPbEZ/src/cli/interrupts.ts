/** Ctrl-C, and the signals by which terminals and supervisors ask a process to end. */

import type { EventEmitter } from 'node:events';
import { exitCode } from './exitCode.ts';
import type { Terminal } from './terminal.ts';

/** One key press may arrive twice: from the terminal, and again from a parent (npm) that passes it on. */
const onePress = 500;

export interface Interrupts {
  /** Aborted at the first: pause at once. */
  readonly signal: AbortSignal;
  dispose(): void;
}

/** `again` is called at a second press: end now. */
export function watchInterrupts(
  now: () => number,
  onFirst: () => void,
  again: () => void,
  source: Pick<EventEmitter, 'on' | 'off'> = process,
): Interrupts {
  const controller = new AbortController();
  let first: number | null = null;
  const onSignal = (): void => {
    if (first === null) {
      first = now();
      onFirst();
      controller.abort(new Error('Interrupted.'));
    } else if (now() - first >= onePress) again();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) source.on(signal, onSignal);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const signal of signals) source.off(signal, onSignal);
    },
  };
}

/** For a command whose work ends by the signal alone: a second press ends the process. */
export const stopAtInterrupt = (terminal: Pick<Terminal, 'now'>, onFirst: () => void = () => undefined): Interrupts =>
  watchInterrupts(
    () => terminal.now(),
    onFirst,
    () => process.exit(exitCode.paused),
  );
