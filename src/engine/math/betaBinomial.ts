/** P(k), k = 0…n, of the successes among n attempts whose rate is Beta with mean p; two of them correlate by rho. */
import { largest } from '../../shared/extremes.ts';
export function betaBinomial(n: number, p: number, rho: number): number[] {
  const certain = (q: number): number[] =>
    Array.from({ length: n + 1 }, (_, k) => (k === 0 ? 1 - q : 0) + (k === n ? q : 0));
  if (p >= 1 || rho >= 1) return certain(p);
  // Ratios of neighbours, of a and b divided by a + b = 1/rho − 1, so that rho = 0 is the binomial distribution.
  const step = rho / (1 - rho);
  const logs = [0];
  for (let k = 0; k < n; k++) {
    const ratio = ((n - k) / (k + 1)) * ((p + k * step) / (1 - p + (n - k - 1) * step));
    logs.push((logs.at(-1) ?? 0) + Math.log(ratio));
  }
  const most = largest(logs);
  const weights = logs.map((log) => Math.exp(log - most));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** The distribution of a sum of independent counts, each distributed like this. */
export function sumOf(count: number, one: readonly number[]): number[] {
  let all = [1];
  for (let i = 0; i < count; i++) {
    const next: number[] = [];
    for (const [a, p] of all.entries()) for (const [b, q] of one.entries()) next[a + b] = (next[a + b] ?? 0) + p * q;
    all = next;
  }
  return all;
}
