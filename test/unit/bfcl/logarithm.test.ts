import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { logarithmText } from '../../../src/benchmarks/bfcl/multiTurn/apis/logarithm.ts';

describe('a logarithm of many digits', () => {
  it('is refused where it would hold up an evaluation', () => {
    assert.match(inspect(logarithmText(3, 33.33, 2000n)), /mpf/);
    assert.doesNotMatch(inspect(logarithmText(3, 33.33, 2001n)), /mpf/);
  });
});
