import assert from 'node:assert/strict';
import fc from 'fast-check';
import { clipOf } from '../../../../src/features/tokens/core/clip.ts';
import { smallTrainer } from '../../../support/embedded/models.ts';

const bounds = { clipLow: 0.8, clipHigh: 1.2 };

describe('where a loss clips', () => {
  it('is where the kernels stop the gradient (ppo) or hold the weight (cispo)', () => {
    const trainer = smallTrainer();
    const tokens = [1, 2, 3];
    const [logprobs = []] = trainer.score(null, [tokens]);
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 1.6, noNaN: true }), fc.constantFrom(-1, 1), (ratio, advantage) => {
        // On a bound itself rounding decides.
        fc.pre([0.8, 1.2].every((bound) => Math.abs(ratio - bound) > 1e-3));
        const datum = {
          tokens,
          logprobs: [0, 0, (logprobs[2] ?? NaN) - Math.log(ratio)],
          advantages: [0, 0, advantage],
        };
        const norm = (name: 'ppo' | 'cispo'): { loss: number; gradient: number } => {
          const fresh = smallTrainer();
          const { loss } = fresh.accumulate([datum], { name, ...bounds });
          const adam = { learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, gradClipNorm: 0 };
          return { loss, gradient: fresh.step(adam).gradNorm };
        };
        assert.equal(clipOf({ loss: 'ppo', ...bounds }, ratio, advantage) !== 'free', norm('ppo').gradient === 0);
        const held = Math.min(Math.max(ratio, 0.8), 1.2) !== ratio;
        assert.equal(clipOf({ loss: 'cispo', ...bounds }, ratio, advantage) !== 'free', held);
      }),
      { numRuns: 30 },
    );
  });

  it('is nowhere for a loss without bounds, or without an advantage', () => {
    assert.equal(clipOf({ loss: 'importance_sampling', ...bounds }, 3, 1), 'free');
    assert.equal(clipOf({ loss: 'ppo', ...bounds }, 3, 0), 'free');
    assert.equal(clipOf({ loss: 'cispo', ...bounds }, 0.1, 0), 'free');
  });
});
