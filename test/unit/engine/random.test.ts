import assert from 'node:assert/strict';
import { Rng, seedFrom } from '../../../src/engine/random.ts';

describe('streams of random numbers', () => {
  it('are the same in every version', () => {
    const rng = Rng.from(7, 'seeds', 3);
    assert.deepEqual(
      [rng.next(), rng.next(), rng.next()],
      [0.7880108212120831, 0.4963379232212901, 0.8803836144506931],
    );
    assert.equal(seedFrom(7, 'job', 'agent', 2), 978527322);
    assert.deepEqual(Rng.from('shuffle').shuffle(['a', 'b', 'c', 'd', 'e']), ['b', 'a', 'd', 'e', 'c']);
  });

  it('differ where their keys do, in kind and in where one ends', () => {
    const first = (...keys: (string | number)[]): number => Rng.from(...keys).next();
    const firsts = [first('a', 'b'), first('ab'), first('a'), first(1), first('1'), first(1, 1), first(11), first()];
    assert.equal(new Set(firsts).size, firsts.length);
    assert.equal(first('a', 1), first('a', 1));
  });

  it('are uniform, and pick different items', () => {
    const rng = Rng.from('uniform');
    const counts = [0, 0, 0, 0];
    for (let i = 0; i < 4000; i++) counts[rng.int(4)]! += 1;
    // Four standard errors of a quarter of 4,000 draws.
    for (const count of counts) assert.ok(Math.abs(count - 1000) < 4 * Math.sqrt(750), counts.join());
    const picked = rng.pick([1, 2, 3, 4, 5], 3);
    assert.equal(new Set(picked).size, 3);
    assert.deepEqual(rng.pick([1, 2], 9).sort(), [1, 2]);
    assert.deepEqual(rng.pick([1, 2], 0), []);
    const seeds = Array.from({ length: 1000 }, (_, i) => seedFrom(i));
    assert.ok(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 31));
    assert.ok(Math.max(...seeds) > 0.9 * 2 ** 31);
  });
});
