import assert from 'node:assert/strict';
import {
  bandDetails,
  bandName,
  bandStretches,
  bandText,
  type MeasuredEpoch,
} from '../../../../src/engine/math/bandCount.ts';

/** Epochs from 1 on: p̂, α and k_min of each. */
const epochs = (...measured: [p: number, alpha: number, kMin: number][]): MeasuredEpoch[] =>
  measured.map(([p, alpha, kMin], i) => ({ epoch: i + 1, p, alpha, kMin }));

describe('epochs inside the band', () => {
  const changed = epochs([0.5, 0.5, 0.1], [0.7, 0.5, 0.1], [0.7, 0.7, 0.1], [0.95, 0.7, 0.3], [0.5, 0.7, 0.3]);

  it('are counted by the band in force in each', () => {
    assert.deepEqual(bandStretches(changed), [
      { first: 1, last: 2, alpha: 0.5, kMin: 0.1, inside: 1, measured: 2 },
      { first: 3, last: 3, alpha: 0.7, kMin: 0.1, inside: 1, measured: 1 },
      { first: 4, last: 5, alpha: 0.7, kMin: 0.3, inside: 2, measured: 2 },
    ]);
  });

  it('have a band of success rates, cut at 0 and 1', () => {
    assert.equal(bandText({ alpha: 0.5, kMin: 0.25 }), '0.25–0.75');
    assert.equal(bandText({ alpha: 0.9, kMin: 0.25 }), '0.65–1.00');
    assert.equal(bandText({ alpha: 0.1, kMin: 0.25 }), '0.00–0.35');
  });

  it('name their band where there is one', () => {
    assert.equal(bandName(bandStretches(changed.slice(0, 2))), 'the band 0.40–0.60');
    assert.equal(bandName(bandStretches(changed)), 'the band in force');
    assert.equal(bandName([]), 'the band in force');
  });

  it('list up to three bands, and of more the last', () => {
    assert.equal(bandDetails([]), '');
    assert.equal(bandDetails(bandStretches(changed.slice(0, 2))), '');
    assert.equal(
      bandDetails(bandStretches(changed)),
      '0.40–0.60 until epoch 2: 1 of 2; 0.60–0.80 from epoch 3 on: 1 of 1; 0.40–1.00 from epoch 4 on: 2 of 2',
    );
    const more = epochs([0.5, 0.5, 0.1], [0.5, 0.6, 0.1], [0.5, 0.7, 0.1], [0.5, 0.8, 0.1]);
    assert.equal(bandDetails(bandStretches(more)), 'it was changed 3 times and is 0.70–0.90 now');
  });
});
