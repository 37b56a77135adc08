/** The reference policy against worked examples and against differences: what the goldens rest on. */
import assert from 'node:assert/strict';
import type { AdamParams, Datum, Loss, SampleRequest } from '../../../src/engine/ports.ts';
import { Adam } from '../../support/reference/adam.ts';
import { termOf } from '../../support/reference/losses.ts';
import { ReferencePolicy, tokensOf } from '../../support/reference/referencePolicy.ts';
import { agentReader } from '../../support/reference/referenceTasks.ts';
import { Softmax } from '../../support/reference/softmax.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { Completion } from '../../../src/engine/completion.ts';

const close = (actual: number, expected: number, tolerance = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

const adam: AdamParams = {
  ...{ learningRate: 0.1, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 0 },
};
const losses: Loss[] = [
  { name: 'cross_entropy' },
  { name: 'importance_sampling' },
  { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cispo', clipLow: 0.8, clipHigh: 1.2 },
];
const prompt = 'climb 3 17\n';
const request: SampleRequest = {
  ...{ id: 'r', messages: [{ role: 'user', content: 'climb 3 17' }], n: 3 },
  ...{ seed: 5, maxTokens: 6, temperature: 1 },
};

async function sampled(policy: ReferencePolicy, over: Partial<SampleRequest> = {}): Promise<Completion[]> {
  const version = await policy.publish('agent@0');
  return Array.fromAsync(policy.sample(version, [{ ...request, ...over }], new AbortController().signal));
}

describe('the reference policy', () => {
  it('has the losses of the worked example of the Tinker protocol', () => {
    const p = [-0.5, -1, -2, -0.25];
    const datum: Datum = {
      ...{ tokens: [0, 0, 0, 0], weights: [0, 1, 1, 0.5] },
      ...{ logprobs: [0, -1.2, -1.5, -0.25], advantages: [0, 1, -1, 2] },
    };
    const terms = losses.map((loss) => p.map((value, i) => termOf(loss, datum, i, value)));
    const values = terms.map((row) => row.reduce((sum, { value }) => sum + value, 0));
    for (const [i, expected] of [3.125, -2.614872, -2.4, 0.1].entries()) close(values[i] ?? NaN, expected);
    for (const [i, expected] of [0, -1.221403, 0.606531, -2].entries()) close(terms[1]?.[i]?.slope ?? NaN, expected);
    assert.deepEqual(
      terms[2]?.map(({ slope }) => slope),
      [0, -0, -0, -2].map((slope) => slope + 0),
    );
  });

  it('has the gradients that differences have', async () => {
    const tokens = tokensOf(`${prompt}34\n`);
    const start = prompt.length;
    const own = (values: readonly number[]): number[] => [...new Array<number>(start).fill(0), ...values];
    const datum: Datum = {
      ...{ tokens, weights: own([0.5, -0.2, 1]) },
      ...{ logprobs: own([-1, -3, -0.9]), advantages: own([0.7, -0.4, 1.1]) },
    };
    for (const loss of losses) {
      const valueAt = (weights: Float64Array): number => {
        const now = new Softmax(agentReader, weights).logprobs(tokens);
        // CISPO's gradient holds its ratio fixed, so its differences must.
        const fixed = new Softmax(agentReader).logprobs(tokens);
        return tokens.reduce((sum, _, i) => {
          const { value, slope } = termOf(loss, datum, i, (loss.name === 'cispo' ? fixed : now)[i] ?? outOfRange());
          return sum + (loss.name === 'cispo' ? slope * (now[i] ?? outOfRange()) : value);
        }, 0);
      };
      const policy = new ReferencePolicy(agentReader);
      const before = policy.weights;
      await policy.accumulate([datum], loss);
      // With ε far above every gradient, Adam's first step is the gradient itself, scaled.
      const { gradNorm } = await policy.step({ ...adam, learningRate: 1, epsilon: 1e6 });
      const after = policy.weights;
      let squares = 0;
      for (const cell of before.keys()) {
        const [up, down] = [before.slice(), before.slice()];
        up[cell] = (up[cell] ?? outOfRange()) + 1e-5;
        down[cell] = (down[cell] ?? outOfRange()) - 1e-5;
        const slope = (valueAt(up) - valueAt(down)) / 2e-5;
        squares += slope ** 2;
        close(((before[cell] ?? outOfRange()) - (after[cell] ?? outOfRange())) * 1e6, slope, 1e-3);
      }
      close(gradNorm ?? NaN, Math.sqrt(squares), 1e-5);
    }
  });

  it('steps as AdamW does, worked by hand', () => {
    const weights = Float64Array.of(1, -2);
    const optimiser = new Adam(2);
    const params = { ...adam, beta2: 0.99, weightDecay: 0.5, gradClipNorm: 1 };
    // The norm is 5, so the bounded gradient is (0.6, 0.8); the first step's size is the learning rate.
    assert.equal(optimiser.step(weights, Float64Array.of(3, 4), params), 5);
    close(weights[0] ?? NaN, 1 - 0.1 - 0.05);
    close(weights[1] ?? NaN, -2 - 0.1 + 0.1);
    // m = 0.9·0.06 + 0.1·0.2, v = 0.99·0.0036 + 0.01·0.04, unbiased by 0.19 and 0.0199; 0.1·0.5·0.85 decays.
    optimiser.step(weights, Float64Array.of(0.2, 0), params);
    close(weights[0] ?? NaN, 0.85 - (0.1 * (0.074 / 0.19)) / Math.sqrt(0.003964 / 0.0199) - 0.0425);
  });

  it('tells logprobs of temperature 1 whatever it samples at, and those that it scores', async () => {
    for (const temperature of [0, 0.5, 1, 2]) {
      const policy = new ReferencePolicy(agentReader);
      for (const { promptTokens, tokens, logprobs } of await sampled(policy, { temperature, n: 8 })) {
        const all = await policy.score({ name: 'agent@0', handle: 'agent@0' }, [[...promptTokens, ...tokens]]);
        assert.deepEqual(all[0]?.slice(promptTokens.length), logprobs);
      }
    }
  });

  it('samples from the tempered distribution', async () => {
    const model = new Softmax(agentReader);
    const { logits } = model.place(prompt);
    for (const temperature of [0.5, 1, 2]) {
      const masses = logits.map((logit) => Math.exp(logit / temperature));
      const expected = (masses[2] ?? outOfRange()) / masses.reduce((sum, mass) => sum + mass, 0);
      const texts = (await sampled(new ReferencePolicy(agentReader), { temperature, n: 4000 })).map(({ text }) => text);
      close(texts.filter((text) => text.startsWith('3')).length / 4000, expected, 0.03);
    }
    const greedy = await sampled(new ReferencePolicy(agentReader), { temperature: 0 });
    assert.deepEqual(
      greedy.map(({ text }) => text),
      ['3', '3', '3'],
    );
  });

  it('repeats a completion by its seed and index alone', async () => {
    const texts = (completions: readonly Completion[]): string[] => completions.map(({ text }) => text);
    const whole = texts(await sampled(new ReferencePolicy(agentReader), { n: 12 }));
    assert.deepEqual(texts(await sampled(new ReferencePolicy(agentReader), { n: 12, only: [7, 2] })), [
      whole[7],
      whole[2],
    ]);
    assert.notDeepEqual(texts(await sampled(new ReferencePolicy(agentReader), { n: 12, seed: 6 })), whole);
  });

  it('comes back from a checkpoint with its weights and moments', async () => {
    const policy = new ReferencePolicy(agentReader);
    const teach = async (one: ReferencePolicy): Promise<void> => {
      const tokens = tokensOf(`${prompt}3\n`);
      await one.accumulate([{ tokens, weights: tokens.map((_, i) => (i < prompt.length ? 0 : 1)) }], {
        name: 'cross_entropy',
      });
      await one.step(adam);
    };
    await teach(policy);
    const ref = await policy.checkpoint('agent@1');
    await teach(policy);
    const again = await policy.restore(ref);
    assert.ok(again.weights.every(Number.isFinite));
    assert.notDeepEqual(again.weights, policy.weights);
    await teach(again);
    assert.deepEqual(again.weights, policy.weights);
  });
});
