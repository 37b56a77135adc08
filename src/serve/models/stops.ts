/** A client's sampling options in words and ids, checked and translated for the model. */
import { randomInt } from 'node:crypto';
import type { Vocabulary } from '../../endpoints/embedded/vocabulary.ts';
import type { BaseModel } from './baseModel.ts';
import { RequestFault } from './requestFault.ts';
import type { FrozenWeights, SampleAnswer, Sampled, SamplingModel } from './samplingModel.ts';

export interface SampleOrder {
  weights: FrozenWeights;
  prompt: readonly number[];
  samples: number;
  /** Null: another every time. */
  seed: number | null;
  /** Null: as many as the context holds. */
  maxTokens: number | null;
  temperature: number;
  /** Tinker reports logprobs of the tempered distribution, vLLM the model's own. */
  tempered: boolean;
  topK: number;
  topP: number;
  /** Texts, or ids; the one that ends a completion is always among them. */
  stop: readonly (string | number)[];
  promptLogprobs: boolean;
}

const mostSamples = 1024;

/** A full context can still be scored: the one token that the protocol makes a scorer ask for has no place. */
export const scoresOnly = (
  { promptLogprobs, maxTokens }: { promptLogprobs: boolean; maxTokens: number },
  room: number,
): boolean => promptLogprobs && room === 0 && maxTokens <= 1;

/** `prompt`: its length in tokens. @throws RequestFault */
export async function sampleWithStops(
  sampler: SamplingModel,
  base: BaseModel,
  order: SampleOrder,
  signal?: AbortSignal,
): Promise<SampleAnswer & { prompt: number }> {
  const { weights, prompt, samples, temperature, tempered, promptLogprobs, stop } = order;
  check(order, base);
  const room = base.config.context - prompt.length;
  const maxTokens = order.maxTokens ?? room;
  const isScored = scoresOnly({ promptLogprobs, maxTokens }, room);
  if (!isScored && (maxTokens > room || room === 0)) {
    throw new RequestFault(
      `Prompt length plus max_tokens exceeds the model's context window: ${prompt.length} + ${maxTokens} > ` +
        `${base.config.context}.`,
    );
  }
  const seed = order.seed ?? randomInt(2 ** 47);
  const job = {
    ...{ weights, prompt, samples, seed, temperature, tempered, promptLogprobs },
    maxTokens: isScored ? 0 : maxTokens,
  };
  const { sequences, promptLogprobs: scored } = await sampler.sample(job, signal);
  const empty = { tokens: [], logprobs: [], stopReason: 'length' } as const;
  return {
    sequences: isScored ? Array.from({ length: samples }, () => empty) : sequences.map(stopped(stop, base.vocabulary)),
    promptLogprobs: scored,
    prompt: prompt.length,
  };
}

function check({ prompt, samples, seed, temperature, topK, topP }: SampleOrder, { vocabulary }: BaseModel): void {
  const size = vocabulary.words.length;
  if (prompt.length === 0) throw new RequestFault('The prompt is empty.');
  const foreign = prompt.find((id) => id >= size);
  if (foreign !== undefined) throw new RequestFault(`Token ${foreign} is not one of the model's ${size}.`);
  if (samples > mostSamples) throw new RequestFault(`${samples} samples of one prompt are more than ${mostSamples}.`);
  if (seed !== null && (seed < 0 || !Number.isSafeInteger(seed))) throw new RequestFault(`${seed} cannot be a seed.`);
  if (!(temperature >= 0)) throw new RequestFault(`${temperature} cannot be a temperature.`);
  // Silently sampling from another distribution would spoil the logprobs.
  if (topP !== 1) throw new RequestFault('This model samples from the whole distribution: top_p is 1.');
  if (topK > 0 && topK < size) throw new RequestFault('This model samples from the whole distribution: top_k is -1.');
}

/**
 * Cuts a completion after its first stop. A stream's tokens do not depend on later ones, so cutting afterwards equals
 * stopping at once.
 */
const stopped =
  (stops: readonly (string | number)[], vocabulary: Vocabulary) =>
  (sampled: Sampled): Sampled => {
    const ids = new Set(stops.filter((stop) => typeof stop === 'number'));
    const texts = stops.filter((stop) => typeof stop === 'string').filter((stop) => stop !== '');
    const end = sampled.tokens.findIndex(
      (token, i) => ids.has(token) || endsText(sampled.tokens.slice(0, i + 1), texts, vocabulary),
    );
    if (end === -1) return sampled;
    const cut = (values: readonly number[]): number[] => values.slice(0, end + 1);
    return { tokens: cut(sampled.tokens), logprobs: cut(sampled.logprobs), stopReason: 'stop' };
  };

function endsText(tokens: readonly number[], texts: readonly string[], vocabulary: Vocabulary): boolean {
  if (texts.length === 0) return false;
  const text = tokens.map((id) => vocabulary.word(id)).join(' ');
  return texts.some((stop) => text.includes(stop));
}
