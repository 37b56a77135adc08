/** An array as a source reads it, one after the other. */
export async function* fromArray<T>(values: readonly T[]): AsyncGenerator<T> {
  for (const value of values) yield await Promise.resolve(value);
}
