/** A sum of numbers of which some may not be known: then it is not known either. */
export const knownSum = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;
