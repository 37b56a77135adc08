/** α over a run’s epochs, by hand. */
import assert from 'node:assert/strict';
import { alphaAt, inEpoch } from '../../../../src/engine/curricula/course.ts';
import { presets } from '../../../../src/shared/experiment/presets.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

const points = [
  { epoch: 3, alpha: 0.4 },
  { epoch: 5, alpha: 0.7 },
];
const over = (alphaBetween: 'steps' | 'line', alphaPoints: typeof points | null = points): number[] =>
  [1, 2, 3, 4, 5, 9].map((epoch) => Number(alphaAt({ alpha: 0.6, alphaPoints, alphaBetween }, epoch).toFixed(12)));

describe('the course of α', () => {
  it('holds a point until the next', () => assert.deepEqual(over('steps'), [0.6, 0.6, 0.4, 0.4, 0.7, 0.7]));

  it('goes evenly from α in epoch 1 through its points', () => {
    assert.deepEqual(over('line'), [0.6, 0.5, 0.4, 0.55, 0.7, 0.7]);
    assert.deepEqual(over('line', [{ epoch: 1, alpha: 0.3 }]), [0.3, 0.3, 0.3, 0.3, 0.3, 0.3]);
  });

  it('is the same α where there is none', () => {
    assert.deepEqual(over('line', null), [0.6, 0.6, 0.6, 0.6, 0.6, 0.6]);
    assert.equal(inEpoch(presets.default, 7), presets.default);
  });

  it('is journaled, told to the environment, and what families are held to', async () => {
    for (const staleness of [0, 1]) {
      const experiment = referenceExperiment({
        epochs: 3,
        rollouts: { staleness },
        generation: { condition: true },
        curriculum: { filter: 'hard', warmupEpochs: 0, kMin: 0.2, alphaPoints: [{ epoch: 2, alpha: 0.25 }] },
      });
      const { run, domain } = await runReference(experiment);
      const settings = eventsOf(run, 'epoch.started').map((event) => event.settings.alpha);
      assert.deepEqual(settings, [0.5, 0.25, 0.25]);
      assert.deepEqual([...new Set(domain.told.map(({ target }) => target))], [0.5, 0.25]);
      for (const { epoch, families } of eventsOf(run, 'families.scored')) {
        const alpha = settings[epoch - 1] ?? NaN;
        for (const { successRate, kept } of families) {
          assert.equal(kept, Math.abs((successRate.p ?? NaN) - alpha) <= 0.2 + 1e-9 ? 1 : 0);
        }
      }
    }
  });
});
