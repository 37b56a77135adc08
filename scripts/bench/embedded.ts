/** Training and sampling speed of the embedded policies, one thread, at the size that ships. */
import { readFile } from 'node:fs/promises';
import { defaultConfig } from '../../src/endpoints/embedded/model/config.ts';
import type { TokenRequest } from '../../src/endpoints/embedded/model/sampler.ts';
import { EmbeddedTrainer } from '../../src/endpoints/embedded/model/trainer.ts';
import type { Datum } from '../../src/engine/ports.ts';
import type { Figure } from './figure.ts';

const kernels = new URL('../../dist/kernels.wasm', import.meta.url);
const words = ['<end>', ...Array.from({ length: 127 }, (_, i) => `w${i}`)];
/** Measured in the feasibility study; its sampling figure used 128 sequences with a prefix of 40 tokens. */
const studyTraining = 38_600;
const studySampling = 76_500;
const prefix = 40;
const answer = 20;

/** Best of several rounds: other work on the machine only ever slows one down. */
function tokensPerSecond(tokens: () => number): number {
  let best = 0;
  for (const end = performance.now() + 3000; performance.now() < end;) {
    const start = performance.now();
    const count = tokens();
    best = Math.max(best, (count / (performance.now() - start)) * 1000);
  }
  return best;
}

/** `prompts` different prompts with `members` different answers each; no token is the end word. */
function sequences(prompts: number, members: number, length: number): number[][] {
  let state = 1;
  const token = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return 1 + ((state >>> 8) % 127);
  };
  return Array.from({ length: prompts }, () => {
    const prompt = Array.from({ length: prefix }, token);
    return Array.from({ length: members }, () => [...prompt, ...Array.from({ length: length - prefix }, token)]);
  }).flat();
}

export async function benchEmbedded(): Promise<Figure[]> {
  const trainer = EmbeddedTrainer.random(await readFile(kernels), defaultConfig(words.length, 192), words, '<end>', 1);
  const adam = { learningRate: 1e-4, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 1 };
  const train = (tokens: number[][], loss: 'cross_entropy' | 'ppo'): number =>
    tokensPerSecond(() => {
      const data: Datum[] = tokens.map((sequence) => {
        const perToken = sequence.map((_, i) => (i < prefix ? 0 : 1 / sequence.length));
        return loss === 'ppo'
          ? { tokens: sequence, logprobs: sequence.map(() => -4), advantages: perToken }
          : { tokens: sequence, weights: sequence.map(() => 1 / sequence.length) };
      });
      trainer.accumulate(data, loss === 'ppo' ? { name: loss, clipLow: 0.8, clipHigh: 1.2 } : { name: loss });
      trainer.step(adam);
      return tokens.reduce((sum, sequence) => sum + sequence.length, 0);
    });
  const frozen = trainer.freeze();
  /** Tokens sampled with and without the time of the first one, which the prefill takes. */
  const sample = (prompts: number, members: number): { whole: number; decoding: number } => {
    const requests = sequences(prompts, 1, prefix).map((prompt, seed) => ({
      prompt,
      indices: Array.from({ length: members }, (_, i) => i),
      seed,
      temperature: 1,
      tempered: false,
    }));
    const count = (maxTokens: number): number => {
      let tokens = 0;
      const limited: TokenRequest[] = requests.map((request) => ({ ...request, maxTokens }));
      for (const done of trainer.sample(frozen, limited)) for (const one of done) tokens += one.tokens.length;
      return tokens;
    };
    const whole = tokensPerSecond(() => count(answer));
    const tokens = count(answer);
    const first = count(1);
    const prefill = first / tokensPerSecond(() => count(1));
    return { whole, decoding: (tokens - first) / (tokens / whole - prefill) };
  };
  const apart = sample(128, 1);
  const grouped = sample(64, 8);
  const unit = 'tokens/s';
  const shape = `${prefix} prompt and ${answer} answer tokens`;
  return [
    {
      name: 'training, no shared prompts',
      value: train(sequences(128, 1, prefix + answer), 'cross_entropy'),
      unit,
      reference: studyTraining,
      note: `128 sequences of ${prefix + answer}, every token trained, optimiser step included`,
    },
    {
      name: 'training, 8 attempts a task',
      value: train(sequences(16, 8, prefix + answer), 'ppo'),
      unit,
      reference: studyTraining,
      note: `${shape}; prompts are computed once a task and counted 8 times`,
    },
    {
      name: 'sampling, 128 prompts',
      value: apart.decoding,
      unit,
      reference: studySampling,
      note: `${shape}; prefill left out; with it ${Math.round(apart.whole).toLocaleString('en')}`,
    },
    {
      name: 'sampling, 8 attempts a task',
      value: grouped.decoding,
      unit,
      reference: studySampling,
      note: `${shape}; prefill left out; with it ${Math.round(grouped.whole).toLocaleString('en')}`,
    },
  ];
}
