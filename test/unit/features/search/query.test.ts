import assert from 'node:assert/strict';
import fc from 'fast-check';
import { epochsOf, intervalOf, lies, numberOf, parseQuery } from '../../../../src/features/search/contract/query.ts';

const terms = (text: string) => {
  const parsed = parseQuery(text);
  assert.ok('terms' in parsed, JSON.stringify(parsed));
  return parsed.terms.map((term) =>
    term.kind === 'text'
      ? [term.negated ? '-' : '', term.text]
      : [term.negated ? '-' : '', term.field, term.comparison, term.value],
  );
};

describe('the language of searches', () => {
  it('reads fields, comparisons, quotations and what is turned round', () => {
    assert.deepEqual(terms('epoch:3 verdict:fail tool:search len>400 "time out" -tag:odd refund -x'), [
      ['', 'epoch', ':', '3'],
      ['', 'verdict', ':', 'fail'],
      ['', 'tool', ':', 'search'],
      ['', 'len', '>', '400'],
      ['', 'time out'],
      ['-', 'tag', ':', 'odd'],
      ['', 'refund'],
      ['-', 'x'],
    ]);
    assert.deepEqual(terms('note:"a \\"b\\" c" p<=40%'), [
      ['', 'note', ':', 'a "b" c'],
      ['', 'p', '<=', '40%'],
    ]);
    assert.deepEqual(terms('   '), []);
  });

  it('says where a quotation does not end', () => {
    assert.deepEqual(parseQuery('epoch:3 "open'), {
      problem: { at: 8, message: 'This quotation mark has no partner.' },
    });
  });

  it('reads back any text that was quoted, and never throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const quoted = `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
        assert.deepEqual(terms(quoted), [['', text]]);
        parseQuery(text);
      }),
    );
  });

  it('compares numbers, percentages and ranges', () => {
    assert.equal(numberOf('40%'), 0.4);
    assert.equal(numberOf('four'), null);
    const fits = (comparison: Parameters<typeof intervalOf>[0], value: string, number: number) => {
      const interval = intervalOf(comparison, value);
      assert.ok(interval);
      return lies(number, interval);
    };
    assert.deepEqual(
      [1, 2, 3, 5, 6].map((n) => fits(':', '2..5', n)),
      [false, true, true, true, false],
    );
    assert.deepEqual(
      [fits('>', '3', 3), fits('>=', '3', 3), fits('<', '3', 3), fits('<=', '3', 3)],
      [false, true, false, true],
    );
    assert.deepEqual([fits(':', '..4', -9), fits(':', '4..', 9)], [true, true]);
    assert.equal(intervalOf(':', 'x..3'), null);
    assert.deepEqual(epochsOf(':', '3-7'), { low: 3, high: 7, open: null });
    assert.equal(intervalOf(':', '3-7'), null);
    assert.equal(epochsOf('<', '3-7'), null);
  });
});
