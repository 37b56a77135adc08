/** A sampler with a fixed number of slots, and a trainer beside it, in virtual time. */
import type { Completion } from '../../../src/engine/completion.ts';
import { Merge } from '../../../src/engine/merge.ts';
import type { Datum, Policy, PolicyVersion, SampleRequest, TrainablePolicy } from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { VirtualTime } from './virtualTime.ts';

/** One answer of the sampler. */
interface Served {
  start: number;
  end: number;
}

/** First come, first served. */
export class Slots {
  readonly #time: VirtualTime;
  readonly #queue: (() => void)[] = [];
  #free: number;
  readonly served: Served[] = [];

  constructor(time: VirtualTime, count: number) {
    this.#time = time;
    this.#free = count;
  }

  async hold(milliseconds: number): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    const start = this.#time.now();
    await this.#time.sleep(milliseconds);
    this.served.push({ start, end: this.#time.now() });
    const next = this.#queue.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

/** Log-normal with a median of `milliseconds` and σ = 1, by the request alone. */
const latencyOf = (seed: number, index: number, milliseconds: number): number => {
  const rng = Rng.from('latency', seed, index);
  const normal = Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
  return milliseconds * Math.exp(normal);
};

const tokens = Array.from({ length: 24 }, (_, i) => i);

/** @param says the text of an answer; `update` milliseconds of one optimiser step */
export function slotPolicy(
  slots: Slots,
  time: VirtualTime,
  { says, median, update }: { says: (seed: number, index: number) => string; median: number; update: number },
): TrainablePolicy {
  const answered = async function* (request: SampleRequest, index: number): AsyncGenerator<Completion> {
    await slots.hold(latencyOf(request.seed, index, median));
    const text = says(request.seed, index);
    const logprobs = tokens.map(() => -1);
    yield { requestId: request.id, index, promptTokens: tokens, tokens, logprobs, text, stopReason: 'stop' };
  };
  const policy: TrainablePolicy = {
    capabilities: {
      ...{ mode: 'step', losses: ['cross_entropy', 'importance_sampling', 'ppo', 'cispo'], score: true },
      ...{ reduction: 'sum', maxContext: 8192, concurrency: 256, deterministic: false },
    },
    publish: (name) => Promise.resolve({ name, handle: name }),
    checkpoint: (name) => Promise.resolve({ name, handle: name }),
    restore: () => Promise.resolve(policy),
    dispose: () => Promise.resolve(),
    async *sample(_: PolicyVersion, requests: readonly SampleRequest[]) {
      const answers = new Merge<Completion>();
      for (const request of requests) {
        const indices = request.only ?? Array.from({ length: request.n }, (__, i) => i);
        for (const index of indices) answers.add(answered(request, index));
      }
      yield* answers;
    },
    score: (_, sequences) => Promise.resolve(sequences.map((one) => one.map((__, i) => (i === 0 ? 0 : -1)))),
    accumulate: (data: readonly Datum[]) =>
      Promise.resolve({ loss: 0, logprobs: data.map((datum) => datum.tokens.map((_, i) => (i === 0 ? 0 : -1))) }),
    step: async () => {
      await time.sleep(update);
      return { gradNorm: 1 };
    },
    render: () => Promise.resolve({ tokens: [...tokens], spans: [[12, 24]] }),
  };
  return policy satisfies Policy;
}
