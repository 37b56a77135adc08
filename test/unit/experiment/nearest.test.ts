import assert from 'node:assert/strict';
import fc from 'fast-check';
import { editDistance, nearest } from '../../../src/shared/experiment/problems/nearest.ts';

describe('the nearest name', () => {
  it('counts insertions, deletions, substitutions and swaps, whatever the case', () => {
    const distances = [
      ['', 'abc', 3],
      ['kitten', 'sitting', 3],
      ['apsect', 'aspect', 1],
      ['KMIN', 'kMin', 0],
      ['beta', 'bet', 1],
    ] as const;
    for (const [a, b, distance] of distances) assert.equal(editDistance(a, b), distance, `${a} ${b}`);
  });

  it('is found for a slip and not for another word', () => {
    const commands = ['run', 'resume', 'branch', 'list', 'show', 'report', 'export', 'validate'];
    assert.equal(nearest('lsit', commands), 'list');
    assert.equal(nearest('exprot', commands), 'export');
    assert.equal(nearest('valid', commands), 'validate');
    assert.equal(nearest('delete', commands), null);
    assert.equal(nearest('x', []), null);
  });

  it('is a distance: symmetric, zero for the same, no longer than the longer word', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        assert.equal(editDistance(a, b), editDistance(b, a));
        assert.equal(editDistance(a, a), 0);
        assert.ok(editDistance(a, b) <= Math.max(a.toLowerCase().length, b.toLowerCase().length));
      }),
    );
  });
});
