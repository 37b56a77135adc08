import assert from 'node:assert/strict';
import { IndexError, outOfRange } from '../../../src/shared/outOfRange.ts';

describe('an index past the end', () => {
  it('fails where it is read, and leaves zeros as they are', () => {
    const values = new Float64Array([0, 2]);
    const read = (index: number): number => values[index] ?? outOfRange();
    assert.deepEqual([read(0), read(1)], [0, 2]);
    assert.throws(() => read(2), IndexError);
    assert.throws(() => read(-1), { name: 'IndexError', reason: 'out-of-range' });
  });
});
