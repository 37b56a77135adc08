import assert from 'node:assert/strict';
import { EmbeddedError } from '../../../../src/endpoints/embedded/errors.ts';
import type { SampledCompletion, TokenRequest } from '../../../../src/endpoints/embedded/model/sampler.ts';
import type { EmbeddedTrainer } from '../../../../src/endpoints/embedded/model/trainer.ts';
import { smallConfig, smallTrainer } from '../../../support/embedded/models.ts';
import { generator, randomInts } from '../../../support/embedded/numeric.ts';

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Prompts of mixed lengths, some equal, some one token long; never the end word, so that prompts stay plain. */
function requests(count: number, over: Partial<TokenRequest> = {}): TokenRequest[] {
  const random = generator(21);
  const prompts = range(5).map((i) => randomInts(1 + i * 4, 22, random).map((id) => id + 1));
  return range(count).map((i) => ({
    prompt: prompts[i % 5] ?? [],
    indices: range(1 + (i % 3)),
    seed: i * 2 ** 31 + i,
    maxTokens: 3 + (i % 4) * 9,
    temperature: 1,
    tempered: false,
    ...over,
  }));
}

function sampleAll(trainer: EmbeddedTrainer, asked: readonly TokenRequest[]): SampledCompletion[] {
  return [...trainer.sample(null, asked)].flat();
}

describe('sampling', () => {
  it('gives every completion once, in request order', () => {
    const asked = requests(17);
    const got = sampleAll(smallTrainer(7, { slots: 4 }), asked).map(({ request, index }) => [request, index]);
    assert.deepEqual(
      got,
      asked.flatMap(({ indices }, request) => indices.map((index) => [request, index])),
    );
  });

  it('is the same, bit for bit, whatever shares the batch', () => {
    const asked = requests(23);
    const reference = sampleAll(smallTrainer(), asked);
    assert.ok(new Set(reference.map(({ tokens }) => tokens.length)).size > 4, 'completions end at different times');
    for (const slots of [1, 2, 5, 16]) assert.deepEqual(sampleAll(smallTrainer(7, { slots }), asked), reference);
    const trainer = smallTrainer(7, { slots: 8 });
    const backwards = sampleAll(trainer, [...asked].reverse());
    for (const completion of backwards) {
      const request = asked.length - 1 - completion.request;
      const twin = reference.find((other) => other.request === request && other.index === completion.index);
      assert.deepEqual({ ...completion, request }, twin);
    }
    for (const [request, one] of asked.entries()) {
      for (const index of one.indices) {
        const [alone] = sampleAll(trainer, [{ ...one, indices: [index] }]);
        assert.deepEqual(
          { ...alone, request },
          reference.find((c) => c.request === request && c.index === index),
        );
      }
    }
  });

  it('reports the logprobs that a full forward pass gives, bit for bit', () => {
    const trainer = smallTrainer();
    const asked = requests(12);
    const completions = sampleAll(trainer, asked);
    const prompts = completions.map(({ request }) => asked[request]?.prompt ?? []);
    const scored = trainer.score(
      null,
      completions.map(({ tokens }, i) => [...(prompts[i] ?? []), ...tokens]),
    );
    completions.forEach(({ logprobs }, i) => {
      assert.deepEqual(scored[i]?.slice(prompts[i]?.length), logprobs);
    });
  });

  it('depends on the seed, on the index, and on all bits of the seed', () => {
    const [one] = requests(1, { maxTokens: 20, indices: range(12) });
    assert.ok(one);
    const trainer = smallTrainer();
    const texts = [one.seed, 1, 2 ** 40].map((seed) =>
      sampleAll(trainer, [{ ...one, seed }]).map(({ tokens }) => tokens.join(' ')),
    );
    for (const of of texts) assert.ok(new Set(of).size >= 8, 'streams of one seed differ');
    // Two short answers may agree by chance; all twelve in order may not.
    assert.equal(new Set(texts.map((of) => of.join('; '))).size, 3);
  });

  it('samples only what is asked for, and the same as when all are', () => {
    const [one] = requests(1, { indices: range(6), maxTokens: 10 });
    assert.ok(one);
    const trainer = smallTrainer();
    const all = sampleAll(trainer, [one]);
    assert.deepEqual(sampleAll(trainer, [{ ...one, indices: [4, 1] }]), [all[4], all[1]]);
  });

  it('stops at the end word, else at the limit or the end of the context', () => {
    const trainer = smallTrainer();
    const completions = sampleAll(trainer, requests(40, { maxTokens: 1000, indices: range(3) }));
    const stopped = completions.filter(({ stopReason }) => stopReason === 'stop');
    assert.ok(stopped.length > 0 && stopped.length < completions.length);
    for (const { tokens, stopReason, request } of completions) {
      assert.equal(tokens.indexOf(0), stopReason === 'stop' ? tokens.length - 1 : -1);
      const promptLength = requests(40)[request]?.prompt.length ?? NaN;
      if (stopReason === 'length') assert.equal(promptLength + tokens.length, smallConfig.context);
    }
  });

  it('at temperature 0 takes the likeliest word, with its logprob at temperature 1', () => {
    const trainer = smallTrainer();
    const asked = requests(6, { temperature: 0, indices: [0] });
    for (const { request, tokens, logprobs } of sampleAll(trainer, asked)) {
      const prompt = asked[request]?.prompt ?? [];
      tokens.forEach((token, i) => {
        const before = [...prompt, ...tokens.slice(0, i)];
        const options = trainer
          .score(
            null,
            range(23).map((word) => [...before, word]),
          )
          .map((p) => p.at(-1) ?? NaN);
        assert.equal(token, options.indexOf(Math.max(...options)));
        assert.equal(logprobs[i], options[token]);
      });
    }
  });

  for (const temperature of [0.3, 0.7, 1.3, 4]) {
    it(`at temperature ${temperature} reports the model's own logprobs, as a score does to the bit`, () => {
      const trainer = smallTrainer();
      const asked = requests(4, { temperature, maxTokens: 6 });
      for (const { request, tokens, logprobs } of sampleAll(trainer, asked)) {
        const prompt = asked[request]?.prompt ?? [];
        const [scored] = trainer.score(null, [[...prompt, ...tokens]]);
        assert.deepEqual(logprobs, [...(scored ?? [])].slice(prompt.length));
      }
    });
  }

  it('reports the tempered logprobs where a protocol tells those', () => {
    const trainer = smallTrainer();
    const temperature = 0.5;
    const asked = requests(4, { temperature, tempered: true, indices: [0], maxTokens: 6 });
    for (const { request, tokens, logprobs } of sampleAll(trainer, asked)) {
      const prompt = asked[request]?.prompt ?? [];
      tokens.forEach((token, i) => {
        const before = [...prompt, ...tokens.slice(0, i)];
        const plain = trainer
          .score(
            null,
            range(23).map((word) => [...before, word]),
          )
          .map((p) => p.at(-1) ?? NaN);
        const total = plain.reduce((sum, p) => sum + Math.exp(p / temperature), 0);
        const expected = (plain[token] ?? NaN) / temperature - Math.log(total);
        assert.ok(Math.abs((logprobs[i] ?? NaN) - expected) < 1e-5);
      });
    }
  });

  it('refuses prompts that are empty, too long, or of another model', () => {
    const trainer = smallTrainer();
    const [one] = requests(1);
    assert.ok(one);
    const refused = (prompt: number[]): void => {
      assert.throws(() => sampleAll(trainer, [{ ...one, prompt }]), EmbeddedError);
    };
    refused([]);
    refused(new Array<number>(smallConfig.context).fill(1));
    refused([1, 23]);
    refused([1.5]);
  });
});
