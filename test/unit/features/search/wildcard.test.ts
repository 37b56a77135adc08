import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { wildcard } from '../../../../src/features/search/contract/wildcard.ts';

describe('names with stars', () => {
  it('mean what the same regular expression means', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 });
    fc.assert(
      fc.property(pattern, name, (stars, text) => {
        assert.equal(wildcard(stars)(text), new RegExp(`^${stars.replaceAll('*', '.*')}$`).test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('take time in proportion to a name, however many stars there are', () => {
    assert.equal(wildcard(`${'*a'.repeat(100)}*b`)('a'.repeat(10_000)), false);
  });
});
