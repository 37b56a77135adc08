/** Work that a signal ends. A signal that thousands listen to walks through all of them for each one more. */
const ends = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `end` when the signal is aborted. @returns forgets it */
export function atEnd(signal: AbortSignal | undefined, end: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const known = ends.get(signal) ?? new Set<() => void>();
  if (!ends.has(signal)) {
    ends.set(signal, known);
    signal.addEventListener('abort', () => {
      for (const one of [...known]) one();
    });
  }
  known.add(end);
  return () => void known.delete(end);
}
