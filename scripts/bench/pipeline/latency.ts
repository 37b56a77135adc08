/** How long answers take: log-normal with σ = 1, part of it by what is asked. */
import type { SampleRequest } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import { baseOf } from './counting.ts';

/** Milliseconds of one of the completions of a request. */
export type Latency = (request: Pick<SampleRequest, 'seed' | 'messages'>, index: number) => number;

/**
 * @param median milliseconds
 * @param own share of the variance of the logarithm that is the base task's own: the same in every answer near it
 */
export const latencyWith =
  ({ median, own }: { median: number; own: number }): Latency =>
  ({ seed, messages }, index) => {
    const ofTask = normal('base', ...messages.map(({ content }) => baseOf(content)));
    return median * Math.exp(Math.sqrt(own) * ofTask + Math.sqrt(1 - own) * normal('latency', seed, index));
  };

function normal(...stream: readonly (string | number)[]): number {
  const [first = '', ...rest] = stream;
  const rng = Rng.from(String(first), ...rest);
  return Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
}
