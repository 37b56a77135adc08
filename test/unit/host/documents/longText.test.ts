import assert from 'node:assert/strict';
import fc from 'fast-check';
import { endOfRange, limitOf, rangeLimit, rangesOf } from '../../../../src/host/documents/layout/longText.ts';

describe('documents: long texts', () => {
  it('end behind a line, or within one that is too long, and never within a character', () => {
    const limit = { characters: 6, lines: 2 };
    assert.equal(endOfRange('a\nb\nc\n', 0, limit), 4);
    assert.equal(endOfRange('abc\ndefgh', 0, limit), 4);
    assert.equal(endOfRange('abcdefgh', 0, limit), 6);
    assert.equal(endOfRange('abcde😀f', 0, limit), 5);
    assert.equal(endOfRange('abc', 0, limit), 3);
    assert.equal(endOfRange('a\nb', 0, limit), 3);
  });

  it('are cut into ranges that lie end to end and are within the limit', () => {
    const piece = fc.constantFrom(
      '\n'.repeat(30_000),
      'x'.repeat(700_000),
      'line\n'.repeat(9000),
      '😀'.repeat(600_000),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const text = pieces.join('');
        const starts = rangesOf(text);
        assert.equal(starts[0], 0);
        for (const [i, start] of starts.entries()) {
          const end = starts[i + 1] ?? text.length;
          assert.equal(endOfRange(text, start, rangeLimit), end);
          assert.ok(end - start <= rangeLimit.characters);
          assert.ok(text.slice(start, end).split('\n').length <= rangeLimit.lines + 1);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('have the less room the more of them a document has', () => {
    assert.deepEqual(limitOf(1), { characters: 100_000, lines: 1000 });
    assert.deepEqual(limitOf(100), { characters: 20_000, lines: 400 });
    assert.deepEqual(limitOf(1e6), { characters: 200, lines: 5 });
  });
});
