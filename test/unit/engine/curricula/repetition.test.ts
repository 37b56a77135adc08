/** Clusters of alike texts against NLTK 3.9's BLEU and scikit-learn 1.7's agglomerative clustering, as R-Zero's code has them. */
import assert from 'node:assert/strict';
import { averageLinkedSizes } from '../../../../src/engine/math/written/averageLinkage.ts';
import { bleu, gramsOf } from '../../../../src/engine/math/written/bleu.ts';
import { clusterShares } from '../../../../src/engine/phases/repetition.ts';

const texts = [
  'Move the red box from shelf A to shelf B.',
  'Move the red box from shelf A to shelf C.',
  'Move the blue box from shelf A to shelf B.',
  'Count all crates that stand near the door.',
  'Count all crates that stand near the window.',
  'Which city has the longest river in Europe?',
  'Sell three apples',
  'Sell three apples',
  'Sell four apples and then count what is left on shelf A.',
];

/** sentence_bleu([words of b], words of a, smoothing_function=method1) */
const scores: readonly [a: number, b: number, bleu: number][] = [
  [0, 1, 0.880111736793],
  [0, 2, 0.707106781187],
  [1, 2, 0.581430736968],
  [0, 3, 0.021105340632],
  [0, 8, 0.01727959143],
  [3, 4, 0.840896415254],
  [3, 5, 0.02777619034],
  [6, 7, 0.56234132519],
  [6, 8, 0.006727229449],
  [0, 6, 0],
];

/** default_rng(5).random((14, 2)) */
const points = [
  ...[
    [0.805003, 0.807941],
    [0.515326, 0.285801],
    [0.053931, 0.383369],
    [0.408473, 0.045275],
    [0.048758, 0.999176],
  ],
  ...[
    [0.652369, 0.23451],
    [0.434948, 0.974186],
    [0.897678, 0.844231],
    [0.392405, 0.493023],
    [0.676689, 0.060803],
  ],
  ...[
    [0.555596, 0.271452],
    [0.879651, 0.064214],
    [0.679182, 0.870089],
    [0.227319, 0.895448],
  ],
];

describe('repetition', () => {
  for (const [a, b, expected] of scores) {
    it(`has NLTK’s BLEU of texts ${a} and ${b}`, () => {
      const actual = bleu(gramsOf(texts[a] ?? ''), gramsOf(texts[b] ?? ''));
      assert.ok(Math.abs(actual - expected) < 1e-11, `${actual}`);
    });
  }

  it('has scikit-learn’s clusters of points', () => {
    const distance = (a: number, b: number): number => {
      const [[x = 0, y = 0] = [], [u = 0, v = 0] = []] = [points[a], points[b]];
      return Math.hypot(x - u, y - v);
    };
    assert.deepEqual(averageLinkedSizes(14, distance, 0.5), [3, 6, 2, 6, 3, 6, 3, 3, 2, 6, 6, 6, 3, 3]);
    assert.deepEqual(averageLinkedSizes(0, distance, 0.5), []);
  });

  it('gives each text its cluster’s share', () => {
    assert.deepEqual(
      clusterShares(texts),
      [3, 3, 3, 2, 2, 1, 2, 2, 1].map((size) => size / 9),
    );
  });

  it('looks for clusters among so many texts at a time', () => {
    const shares = clusterShares([...Array.from({ length: 256 }, () => texts[0] ?? ''), texts[5] ?? '']);
    assert.deepEqual([shares[0], shares[128], shares[129], shares[256]], [1, 1, 127 / 128, 1 / 128]);
  });

  it('takes no text that is like no other for all of an epoch, however many there are', () => {
    const alone = Array.from({ length: 521 }, (_, i) => Array.from({ length: 12 }, (_x, j) => `w${i}x${j}`).join(' '));
    for (const size of [256, 257, 260, 513, 521]) {
      const shares = clusterShares(alone.slice(0, size));
      assert.equal(shares.length, size);
      assert.ok(Math.max(...shares) < 1 / 100, `${size}`);
    }
  });
});
