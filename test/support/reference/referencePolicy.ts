/**
 * A policy that honours everything the loop tells it: loss, clip bounds, temperature, seeds, Adam's settings, versions
 * and checkpoints. Tokens are character codes, a newline ends a turn.
 */
import type {
  AdamParams,
  Capabilities,
  CheckpointRef,
  Datum,
  Loss,
  PolicyVersion,
  SampleRequest,
  StepMetrics,
  TrainablePolicy,
  TrainMetrics,
} from '../../../src/engine/ports.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import { Adam } from './adam.ts';
import { termOf } from './losses.ts';
import { Softmax, textOf, type Place, type Reader } from './softmax.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { Completion } from '../../../src/engine/completion.ts';

export const stop = 10;

export const tokensOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

interface Saved {
  weights: Float64Array;
  adam: Adam;
}

/** State that outlives a policy: its checkpoints by name. */
type Saves = Map<string, Saved>;

/** One call of `accumulate` with the `step` that followed. */
export interface Lesson {
  data: readonly Datum[];
  loss: Loss;
  adam: AdamParams | null;
}

/** Everything asked of a policy and of those restored from it, in order. */
interface Asked {
  samples: SampleRequest[];
  lessons: Lesson[];
  scores: { version: string; sequences: readonly (readonly number[])[] }[];
}

export class ReferencePolicy implements TrainablePolicy {
  readonly capabilities: Capabilities = {
    mode: 'step',
    losses: ['cross_entropy', 'importance_sampling', 'ppo', 'cispo'],
    score: true,
    reduction: 'sum',
    maxContext: 4096,
    concurrency: 8,
    deterministic: true,
  };
  readonly asked: Asked;
  readonly #model: Softmax;
  readonly #adam: Adam;
  readonly #saves: Saves;
  readonly #published = new Map<string, Softmax>();
  #gradient: Float64Array;

  constructor(
    reader: Reader,
    saves: Saves = new Map(),
    asked: Asked = { samples: [], lessons: [], scores: [] },
    from?: Saved,
  ) {
    this.#model = new Softmax(reader, from?.weights);
    this.#adam = new Adam(this.#model.weights.length, from?.adam);
    this.#gradient = new Float64Array(this.#model.weights.length);
    this.#saves = saves;
    this.asked = asked;
  }

  /** A copy of the weights being trained: looks × alphabet, row by row. */
  get weights(): Float64Array {
    return this.#model.weights.slice();
  }

  publish(name: string): Promise<PolicyVersion> {
    this.#published.set(name, new Softmax(this.#model.reader, this.#model.weights));
    return Promise.resolve({ name, handle: name });
  }

  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion> {
    const model = this.#at(version);
    for (const request of requests) {
      this.asked.samples.push(request);
      const promptTokens = request.messages.flatMap(rendered);
      for (const index of request.only ?? Array.from({ length: request.n }, (_, i) => i)) {
        signal.throwIfAborted();
        await Promise.resolve();
        const { tokens, logprobs } = say(model, textOf(promptTokens), request, uniform(request.seed, index));
        const ended = tokens.at(-1) === stop;
        const text = textOf(ended ? tokens.slice(0, -1) : tokens);
        const stopReason = ended ? 'stop' : 'length';
        yield { requestId: request.id, index, promptTokens, tokens, logprobs, text, stopReason };
      }
    }
  }

  score(version: PolicyVersion, sequences: readonly (readonly number[])[]): Promise<number[][]> {
    const model = this.#at(version);
    this.asked.scores.push({ version: version.name, sequences });
    return Promise.resolve(sequences.map((tokens) => model.logprobs(tokens)));
  }

  accumulate(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    this.asked.lessons.push({ data, loss, adam: null });
    let value = 0;
    const logprobs = data.map((datum) => {
      const text = textOf(datum.tokens);
      const now = this.#model.logprobs(datum.tokens);
      for (const [i, token] of datum.tokens.entries()) {
        const term = termOf(loss, datum, i, now[i] ?? outOfRange());
        value += term.value;
        if (term.slope !== 0) this.#model.addSlope(this.#gradient, text.slice(0, i), token, term.slope);
      }
      return now;
    });
    return Promise.resolve({ loss: value, logprobs });
  }

  step(adam: AdamParams): Promise<StepMetrics> {
    const last = this.asked.lessons.at(-1);
    if (last !== undefined) last.adam = adam;
    const gradNorm = this.#adam.step(this.#model.weights, this.#gradient, adam);
    this.#gradient = new Float64Array(this.#model.weights.length);
    return Promise.resolve({ gradNorm });
  }

  render(messages: readonly Message[]): Promise<{ tokens: number[]; spans: [number, number][] }> {
    const tokens: number[] = [];
    const spans: [number, number][] = [];
    for (const message of messages) {
      const start = tokens.length;
      tokens.push(...rendered(message));
      if (message.role === 'assistant') spans.push([start, tokens.length]);
    }
    return Promise.resolve({ tokens, spans });
  }

  checkpoint(name: string): Promise<CheckpointRef> {
    const { length } = this.#model.weights;
    this.#saves.set(name, { weights: this.weights, adam: new Adam(length, this.#adam) });
    return Promise.resolve({ name, handle: name });
  }

  restore({ handle }: CheckpointRef): Promise<ReferencePolicy> {
    const saved = this.#saves.get(handle);
    if (saved === undefined) throw new Error(`No checkpoint ${handle}.`);
    return Promise.resolve(new ReferencePolicy(this.#model.reader, this.#saves, this.asked, saved));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  #at({ handle }: PolicyVersion): Softmax {
    const model = this.#published.get(handle);
    if (model === undefined) throw new Error(`Version ${handle} was never published here.`);
    return model;
  }
}

/** A turn with the newline that ends it; one that was sampled brings its own, unless it was cut. */
function rendered({ content, tokens }: Message): number[] {
  const own = tokens ?? tokensOf(content);
  return own.at(-1) === stop ? [...own] : [...own, stop];
}

/** Samples at the request's temperature; logprobs are those of temperature 1. */
function say(model: Softmax, prompt: string, request: SampleRequest, random: () => number) {
  const tokens: number[] = [];
  const logprobs: number[] = [];
  // A character is a token here.
  const most = Math.min(request.maxTokens, Math.max(1, (request.maxSequence ?? Infinity) - prompt.length));
  while (tokens.length < most && tokens.at(-1) !== stop) {
    const place = model.place(prompt + textOf(tokens));
    const column = draw(place, request.temperature, random);
    tokens.push(model.reader.alphabet[column] ?? stop);
    logprobs.push((place.logits[column] ?? outOfRange()) - place.logNormaliser);
  }
  return { tokens, logprobs };
}

/** A column of the alphabet, drawn from the tempered distribution; the likeliest at temperature 0. */
function draw({ logits }: Place, temperature: number, random: () => number): number {
  const top = Math.max(...logits);
  if (temperature === 0) return logits.indexOf(top);
  const masses = logits.map((logit) => Math.exp((logit - top) / temperature));
  let left = random() * masses.reduce((sum, mass) => sum + mass, 0);
  for (const [column, mass] of masses.entries()) {
    left -= mass;
    if (left < 0) return column;
  }
  return masses.length - 1;
}

/** Uniform numbers in [0, 1) from a seed and the completion's index (mulberry32). */
function uniform(seed: number, index: number): () => number {
  let state = (seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
