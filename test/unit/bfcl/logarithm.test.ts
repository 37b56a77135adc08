import assert from 'node:assert/strict';
import { logarithmText } from '../../../src/benchmarks/bfcl/multiTurn/apis/logarithm.ts';

describe('a logarithm of many digits', () => {
  it('is refused where it would hold up an evaluation', () => {
    assert.match(String(logarithmText(3, 33.33, 2000n)), /mpf/);
    assert.doesNotMatch(String(logarithmText(3, 33.33, 2001n)), /mpf/);
  });
});
