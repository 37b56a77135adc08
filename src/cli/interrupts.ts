/** Ctrl-C, and the signals by which terminals and supervisors ask a process to end. */

import type { EventEmitter } from 'node:events';
import { fstatSync, statSync } from 'node:fs';
import { codeOf } from '../shared/systemError.ts';
import { exitCode } from './exitCode.ts';
import type { Terminal } from './terminal.ts';

/** One key press may arrive twice: from the terminal, and again from a parent (npm) that passes it on. */
const onePress = 500;

export interface Interrupts {
  /** Aborted at the first: pause at once. */
  readonly signal: AbortSignal;
  dispose(): void;
}

/**
 * Whether this process has a terminal; under nohup or a supervisor it has none. `isatty` loads all that sockets need, so it
 * is asked only where there may be one.
 */
async function hasTerminal(): Promise<boolean> {
  const devices = [0, 1, 2].filter(mayBeTerminal);
  if (devices.length === 0) return false;
  const { isatty } = await import('node:tty');
  return devices.some((descriptor) => isatty(descriptor));
}

/** A device, and not the one that swallows everything. */
function mayBeTerminal(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return stat.isCharacterDevice() && stat.rdev !== nullDevice();
  } catch (error) {
    // It was closed before this process began.
    if (codeOf(error) !== '') return false;
    throw error;
  }
}

/** Its number; undefined on a system without this name for it. */
const nullDevice = (): number | undefined => statSync('/dev/null', { throwIfNoEntry: false })?.rdev;

/**
 * `again` is called at a second press: end now. A terminal that hangs up ends nothing that was started without one: nohup
 * has the process ignore it, which Node undoes.
 */
export function watchInterrupts(
  now: () => number,
  onFirst: () => void,
  again: () => void,
  source: Pick<EventEmitter, 'on' | 'off'> = process,
  attached: Promise<boolean> = hasTerminal(),
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
  const onHangup = async (): Promise<void> => {
    if (await attached) onSignal();
  };
  const listeners = [
    ['SIGINT', onSignal],
    ['SIGTERM', onSignal],
    ['SIGHUP', (): void => void onHangup()],
  ] as const;
  for (const [signal, listener] of listeners) source.on(signal, listener);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const [signal, listener] of listeners) source.off(signal, listener);
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
