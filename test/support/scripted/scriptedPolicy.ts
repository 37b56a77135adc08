/**
 * A policy with one weight and real training arithmetic: answers depend on the weight, gradients move it. Tokens are
 * character codes, so that every sequence can be read.
 */
import type {
  AdamParams,
  Capabilities,
  CheckpointRef,
  Datum,
  Loss,
  Policy,
  PolicyVersion,
  SampleRequest,
  StepMetrics,
  TrainMetrics,
} from '../../../src/engine/ports.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Completion } from '../../../src/engine/completion.ts';

function encode(text: string, tokens: number[] = []): number[] {
  for (let i = 0; i < text.length; i++) tokens.push(text.charCodeAt(i));
  return tokens;
}
const decode = (tokens: readonly number[]): string => String.fromCharCode(...tokens);
function renderAll(messages: readonly Message[]): number[] {
  const rendered: number[] = [];
  for (const { content, tokens } of messages) {
    if (tokens === undefined) encode(content, rendered);
    else for (const token of tokens) rendered.push(token);
    rendered.push(10);
  }
  return rendered;
}

/** The requests over the wire, for tests that count paid ones. */
export interface Bill {
  samples: string[];
}

/** Its answers to a prompt, under a version's weight. */
type Says = (prompt: string, rng: Rng, temperature: number, weight: number) => string;

export class ScriptedPolicy implements Policy {
  readonly capabilities: Capabilities = {
    mode: 'step',
    losses: ['cross_entropy', 'importance_sampling', 'ppo', 'cispo'],
    score: true,
    reduction: 'sum',
    maxContext: 4096,
    concurrency: 8,
    deterministic: true,
  };
  readonly #role: 'agent' | 'environment';
  readonly #saved: Map<string, number>;
  readonly #published = new Map<string, number>();
  readonly bill: Bill;
  readonly #says: Says;
  #weight: number;
  #gradient = 0;

  constructor(
    role: 'agent' | 'environment',
    weight: number,
    saved = new Map<string, number>(),
    bill: Bill = { samples: [] },
    says?: Says,
  ) {
    this.#says = says ?? ((prompt, rng, temperature, own) => this.#answer(prompt, rng, own, temperature));
    this.#role = role;
    this.#weight = weight;
    this.#saved = saved;
    this.bill = bill;
  }

  publish(name: string): Promise<PolicyVersion> {
    this.#published.set(name, this.#weight);
    return Promise.resolve({ name, handle: name });
  }

  async *sample(
    version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion> {
    const weight = this.#at(version);
    for (const request of requests) {
      for (const index of request.only ?? Array.from({ length: request.n }, (_, i) => i)) {
        signal.throwIfAborted();
        await Promise.resolve();
        const promptTokens = renderAll(request.messages);
        this.bill.samples.push(`${request.id}#${index}`);
        const text = this.#says(decode(promptTokens), Rng.from(request.seed, index), request.temperature, weight);
        const tokens = encode(text);
        const logprobs = tokens.map((token) => -1 - weight / 100 - token / 1000);
        yield { requestId: request.id, index, promptTokens, tokens, logprobs, text, stopReason: 'stop' };
      }
    }
  }

  #answer(prompt: string, rng: Rng, weight: number, temperature: number): string {
    if (this.#role === 'agent') {
      const rung = /climb (\d+)/.exec(prompt)?.[1] ?? '0';
      const p = 1 / (1 + Math.exp(Number(rung) - weight));
      return (temperature === 0 ? 0.5 : rng.next()) < p ? rung : 'x';
    }
    if (prompt.startsWith('plan') && !prompt.includes('write')) return `plan ${Math.round(weight)}`;
    if (rng.next() < 0.1) return 'nonsense';
    return `rung ${Math.round(weight + 3 * (rng.next() - 0.5))} ${rng.int(400)}`;
  }

  #at({ handle }: PolicyVersion): number {
    const weight = this.#published.get(handle);
    if (weight === undefined) throw new Error(`Version ${handle} was never published here.`);
    return weight;
  }

  score(version: PolicyVersion, sequences: readonly (readonly number[])[]): Promise<number[][]> {
    const weight = this.#at(version);
    return Promise.resolve(
      sequences.map((tokens) => tokens.map((token, i) => (i === 0 ? 0 : -1 - weight / 100 - token / 1000))),
    );
  }

  render(messages: readonly Message[]): Promise<{ tokens: number[]; spans: [number, number][] }> {
    const tokens: number[] = [];
    const spans: [number, number][] = [];
    for (const message of messages) {
      const start = tokens.length;
      tokens.push(...renderAll([message]));
      if (message.role === 'assistant') spans.push([start, tokens.length]);
    }
    return Promise.resolve({ tokens, spans });
  }

  accumulate(data: readonly Datum[], loss: Loss): Promise<TrainMetrics> {
    let value = 0;
    for (const { tokens, advantages, weights } of data) {
      const signal = (advantages ?? weights ?? []).reduce((sum, a) => sum + a, 0);
      const text = decode(tokens);
      const sign =
        loss.name === 'cross_entropy'
          ? Number(/rung (\d+)/.exec(text)?.[1] ?? 0) - this.#weight
          : text.endsWith('x')
            ? -1
            : 1;
      this.#gradient += sign * signal;
      value -= signal;
    }
    return Promise.resolve({
      loss: value,
      logprobs: data.map(({ tokens }) =>
        tokens.map((token, i) => (i === 0 ? 0 : -1 - this.#weight / 100 - token / 1000)),
      ),
    });
  }

  step({ learningRate }: AdamParams): Promise<StepMetrics> {
    const gradNorm = Math.abs(this.#gradient);
    this.#weight += learningRate * this.#gradient;
    this.#gradient = 0;
    return Promise.resolve({ gradNorm });
  }

  checkpoint(name: string): Promise<CheckpointRef> {
    this.#saved.set(name, this.#weight);
    return Promise.resolve({ name, handle: name });
  }

  restore({ handle }: CheckpointRef): Promise<ScriptedPolicy> {
    const weight = this.#saved.get(handle);
    if (weight === undefined) throw new Error(`No checkpoint ${handle}.`);
    return Promise.resolve(new ScriptedPolicy(this.#role, weight, this.#saved, this.bill, this.#says));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
