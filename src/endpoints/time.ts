/**
 * Time as endpoints use it: for waits, timeouts and latencies. Never the wall clock, which jumps: a laptop that wakes or a
 * clock that is set right must neither end a wait early nor make one endless.
 */
export interface Time {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Rings once after so many milliseconds unless cancelled. */
  after(milliseconds: number, ring: () => void): Cancel;
}

export type Cancel = () => void;

export const machineTime: Time = {
  now: () => performance.now(),
  after(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds. @throws the reason of the first signal that is aborted, at once */
export function sleep(
  time: Time,
  milliseconds: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  const present = signals.filter((signal) => signal !== undefined);
  return new Promise((resolve, reject) => {
    const stop = (signal: AbortSignal) => reject(reasonOf(signal));
    const aborted = present.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      stop(aborted);
      return;
    }
    const listening = present.map((signal) => {
      const listener = () => {
        leave();
        stop(signal);
      };
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    });
    const cancel = time.after(milliseconds, () => {
      leave();
      resolve();
    });
    const leave = () => {
      cancel();
      for (const remove of listening) remove();
    };
  });
}

/** Why a signal was aborted, as an error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}

/** Work for several callers continues when one of them no longer waits for it. @throws the signal's reason, at once */
export async function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal): Promise<T> {
  // Its failure reaches those that still wait.
  waited.catch(() => undefined);
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([waited, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
