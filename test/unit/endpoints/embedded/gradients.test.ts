import assert from 'node:assert/strict';
import type { EmbeddedTrainer } from '../../../../src/endpoints/embedded/model/trainer.ts';
import { elementOffset } from '../../../../src/endpoints/embedded/model/layout.ts';
import type { Datum, Loss } from '../../../../src/engine/ports.ts';
import { smallTrainer, words } from '../../../support/embedded/models.ts';
import { assertClose, generator, randomInts } from '../../../support/embedded/numeric.ts';
import { outOfRange } from '../../../../src/shared/outOfRange.ts';

/** Two pairs that share beginnings (packed as prefix and continuations), one of its own, one too short to score. */
function sequences(): number[][] {
  const random = generator(11);
  const tokens = (count: number): number[] => randomInts(count, words.length, random);
  const [shared, other] = [tokens(9), tokens(6)];
  return [
    [...shared, ...tokens(8)],
    [...other, ...tokens(3)],
    tokens(14),
    [...shared, ...tokens(5)],
    [...other, ...tokens(7)],
    [3],
  ];
}

/** Data whose sampling logprobs lie near the current ones, so that some tokens are clipped and others not. */
function dataFor(trainer: EmbeddedTrainer): Datum[] {
  const random = generator(12);
  const tokens = sequences();
  return trainer.score(null, tokens).map((logprobs, i) => ({
    tokens: tokens[i] ?? [],
    weights: logprobs.map(() => random() * 2 - 0.5),
    logprobs: logprobs.map((p) => p + random() - 0.5),
    advantages: logprobs.map(() => random() * 2 - 1),
  }));
}

/** The loss in double precision, from logprobs; CISPO's ratio is held at the base point, as its gradient is. */
function lossOf(
  loss: Loss,
  data: readonly Datum[],
  logprobs: number[][],
  base: readonly (readonly number[])[],
): number {
  let total = 0;
  data.forEach((datum, n) => {
    for (let i = 1; i < datum.tokens.length; i++) {
      const p = logprobs[n]?.[i] ?? NaN;
      const a = datum.advantages?.[i] ?? NaN;
      const q = datum.logprobs?.[i] ?? NaN;
      const clip = (r: number): number =>
        loss.name === 'ppo' || loss.name === 'cispo' ? Math.min(Math.max(r, loss.clipLow), loss.clipHigh) : r;
      const ratio = Math.exp(p - q);
      if (loss.name === 'cross_entropy') total -= (datum.weights?.[i] ?? NaN) * p;
      else if (loss.name === 'importance_sampling') total -= ratio * a;
      else if (loss.name === 'ppo') total -= Math.min(ratio * a, clip(ratio) * a);
      else total -= clip(Math.exp((base[n]?.[i] ?? NaN) - q)) * p * a;
    }
  });
  return total;
}

const losses: Loss[] = [
  { name: 'cross_entropy' },
  { name: 'importance_sampling' },
  { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
  { name: 'cispo', clipLow: 0.8, clipHigh: 1.2 },
];

describe('gradients of the whole model', () => {
  for (const loss of losses) {
    it(`${loss.name}: every tensor agrees with central differences`, () => {
      const trainer = smallTrainer();
      const data = dataFor(trainer);
      const { network } = trainer;
      const base = trainer.score(null, sequences());
      const metrics = trainer.accumulate(data, loss);
      assert.ok(Math.abs(metrics.loss - lossOf(loss, data, base, base)) < 1e-3, 'value of the loss');
      const gradients = network.read(network.at.gradients);
      const parameters = network.read(network.at.parameters);
      const random = generator(13);
      const at = (weights: Float32Array): number => lossOf(loss, data, trainer.score(weights, sequences()), base);
      for (const tensor of network.layout.tensors) {
        const places = Array.from({ length: 16 }, () =>
          elementOffset(tensor, Math.floor(random() * tensor.rows), Math.floor(random() * tensor.columns)),
        );
        const measured = places.map((place) => {
          const step = 4e-3;
          const [up, down] = [parameters.slice(), parameters.slice()];
          up[place] = (up[place] ?? outOfRange()) + step;
          down[place] = (down[place] ?? outOfRange()) - step;
          return (at(up) - at(down)) / ((up[place] ?? outOfRange()) - (down[place] ?? outOfRange()));
        });
        const computed = places.map((place) => gradients[place] ?? NaN);
        assertClose(computed, measured, 0.02, tensor.name);
      }
    });
  }

  it('padding of the output never moves', () => {
    const trainer = smallTrainer();
    const { network } = trainer;
    const { output } = network.layout;
    trainer.accumulate(dataFor(trainer), { name: 'cross_entropy' });
    trainer.step({ learningRate: 0.1, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.1, gradClipNorm: 0 });
    const parameters = network.read(network.at.parameters);
    for (let row = 0; row < output.rows; row++) {
      for (let column = output.columns; column < output.padded; column++) {
        assert.equal(parameters[elementOffset(output, row, column)], 0);
      }
    }
  });
});
