import assert from 'node:assert/strict';
import { overlap, shinglesOf, sketchOf } from '../../../../src/engine/math/written/shingles.ts';
import { Rng } from '../../../../src/engine/random.ts';

const words = (rng: Rng, n: number): string[] => Array.from({ length: n }, () => `w${rng.int(5000)}`);

/** Share of pairs of random texts of this overlap that share a band. */
function found(share: number, pairs: number): { rate: number; share: number } {
  const rng = Rng.from('bands', share);
  let [hits, sum] = [0, 0];
  for (let i = 0; i < pairs; i++) {
    const both = Math.round(400 * share);
    const common = new Set(Array.from({ length: both }, () => rng.int(2 ** 32)));
    const own = () => Array.from({ length: (400 - both) / 2 }, () => rng.int(2 ** 32));
    const [a, b] = [new Set([...common, ...own()]), new Set([...common, ...own()])];
    const [left, right] = [sketchOf(a), sketchOf(b)];
    if (left.some((hash, band) => hash === right[band])) hits += 1;
    sum += overlap(a, b);
  }
  return { rate: hits / pairs, share: sum / pairs };
}

describe('shingles', () => {
  it('are runs of three words, whatever the case and the punctuation', () => {
    assert.equal(shinglesOf('One, two three FOUR.').size, 2);
    assert.deepEqual(shinglesOf('One, two three FOUR.'), shinglesOf('one two three four'));
    assert.notDeepEqual(shinglesOf('one two three'), shinglesOf('three two one'));
    assert.equal(shinglesOf('one two').size, 1);
    assert.deepEqual(shinglesOf('один два'), shinglesOf('Один, два!'));
    assert.notDeepEqual(
      shinglesOf('Maße'),
      shinglesOf('Masse'),
      'other words, though one would be the other in capitals',
    );
  });

  it('are the same hashes in every version', () => {
    assert.deepEqual([...shinglesOf('?!')], [0x811c9dc5]);
    assert.deepEqual([...shinglesOf('one two three')], [4160902672]);
    assert.deepEqual([...sketchOf(new Set([1, 2, 3]))], [3857184387, 1063342075, 1848360081]);
  });

  it('overlap as much as texts share', () => {
    assert.equal(overlap(shinglesOf('a b c d'), shinglesOf('a b c d')), 1);
    assert.equal(overlap(shinglesOf('a b c d'), shinglesOf('a b c e')), 1 / 3);
    assert.equal(overlap(shinglesOf('a b c'), shinglesOf('x y z')), 0);
    const text = words(Rng.from('text'), 40);
    const changed = text.with(20, 'other');
    assert.equal(overlap(shinglesOf(text.join(' ')), shinglesOf(changed.join(' '))), 35 / 41);
  });

  it('find texts alike by their bands as often as MinHash says, and others hardly ever', () => {
    for (const share of [0.9, 0.8, 0.5, 0.2]) {
      const seen = found(share, 300);
      assert.ok(Math.abs(seen.share - share) < 0.01, `overlap ${seen.share}`);
      const expected = 1 - (1 - share ** 3) ** 3;
      assert.ok(Math.abs(seen.rate - expected) < 0.07, `${share}: ${seen.rate}, not ${expected}`);
    }
  });
});
