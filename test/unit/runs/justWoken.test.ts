import assert from 'node:assert/strict';
import { hasJustWoken } from '../../../src/runs/lease/justWoken.ts';

describe('runs: a machine that slept', () => {
  it('has just woken for a moment, by who looks every few seconds', () => {
    let now = Date.now() + 3_600_000;
    const after = (seconds: number): boolean => hasJustWoken((now += seconds * 1000));
    // The first question of all may come late.
    for (let i = 0; i < 4; i++) after(5);
    assert.deepEqual([after(5), after(5)], [false, false]);
    assert.deepEqual([after(3600), after(5), after(5), after(5), after(5)], [true, true, true, true, false]);
    // A clock that was set back is a gap, too.
    assert.deepEqual([after(-3600), after(10), after(10)], [true, true, false]);
  });
});
