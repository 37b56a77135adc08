/** A sampler with a fixed number of slots, and a trainer beside it, in virtual time. */
import type { Completion } from '../../../src/engine/completion.ts';
import { Merge } from '../../../src/engine/merge.ts';
import type { Datum, Policy, PolicyVersion, SampleRequest, TrainablePolicy } from '../../../src/engine/ports.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import { atEnd } from './ends.ts';
import type { Latency } from './latency.ts';
import type { VirtualTime } from './virtualTime.ts';

/** One answer of the sampler, in milliseconds. */
export interface Served {
  /** Of the request. */
  id: string;
  /** Of the completion. */
  index: number;
  milliseconds: number;
}

/** The most urgent first, as schedulers of endpoints have it; among equals first come, first served. */
export class Slots {
  readonly #time: VirtualTime;
  readonly #queue: { urgency: number; begin: () => void }[] = [];
  #free: number;
  readonly served: Served[] = [];
  /** Answers that were ended under way, with the time that they had held a slot. */
  readonly ended: Served[] = [];

  constructor(time: VirtualTime, count: number) {
    this.#time = time;
    this.#free = count;
  }

  /** @throws the signal's reason; a slot that was held until then was busy, and for nothing */
  async hold(answer: Served, urgency: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(urgency, signal);
    const from = this.#time.now();
    await this.#time.sleep(answer.milliseconds, signal);
    if (signal.aborted) this.ended.push({ ...answer, milliseconds: this.#time.now() - from });
    else this.served.push(answer);
    this.#leave();
    signal.throwIfAborted();
  }

  async #turn(urgency: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<null>();
    const waiting = { urgency, begin: () => resolve(null) };
    const give = (): void => {
      const at = this.#queue.indexOf(waiting);
      if (at >= 0) this.#queue.splice(at, 1);
      reject(new Error('aborted'));
    };
    const forget = atEnd(signal, give);
    this.#add(waiting);
    await promise;
    forget();
  }

  #leave(): void {
    const next = this.#take();
    if (next === null) this.#free += 1;
    else next.begin();
  }

  /** The least urgent first; among equals the last to come. */
  #add(waiting: { urgency: number; begin: () => void }): void {
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#queue[middle] ?? outOfRange()).urgency < waiting.urgency) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, waiting);
  }

  #take(): { begin: () => void } | null {
    return this.#queue.pop() ?? null;
  }
}

const prompt = Array.from({ length: 24 }, (_, i) => i);

/**
 * @param says the text of an answer
 * @param update milliseconds of one optimiser step
 * @param speed tokens a millisecond
 */
export function slotPolicy(
  slots: Slots,
  time: VirtualTime,
  {
    says,
    latency,
    update,
    speed,
  }: { says: (request: SampleRequest, index: number) => string; latency: Latency; update: number; speed: number },
): TrainablePolicy {
  const answered = async function* (
    request: SampleRequest,
    index: number,
    signal: AbortSignal,
  ): AsyncGenerator<Completion> {
    const { id, urgency = 0 } = request;
    const milliseconds = latency(request, index);
    await slots.hold({ id, index, milliseconds }, urgency, signal);
    const tokens = new Array<number>(Math.max(1, Math.round(milliseconds * speed))).fill(0);
    const logprobs = tokens.map(() => -1);
    const text = says(request, index);
    yield { requestId: id, index, promptTokens: prompt, tokens, logprobs, text, stopReason: 'stop' };
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
    async *sample(_: PolicyVersion, requests: readonly SampleRequest[], signal: AbortSignal) {
      const answers = new Merge<Completion>();
      for (const request of requests) {
        const indices = request.only ?? Array.from({ length: request.n }, (__, i) => i);
        for (const index of indices) answers.add(answered(request, index, signal));
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
    render: () => Promise.resolve({ tokens: [...prompt], spans: [[12, 24]] }),
  };
  return policy satisfies Policy;
}
