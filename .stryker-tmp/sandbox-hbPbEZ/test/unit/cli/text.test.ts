import assert from 'node:assert/strict';
import fc from 'fast-check';
import { displayWidth, harmless, oneLine, padEnd, truncate, wrap } from '../../../src/cli/text/displayWidth.ts';
import { count, duration, figures, moment, percent, rate } from '../../../src/cli/text/numbers.ts';
import { coloured, plain, styleFor } from '../../../src/cli/text/style.ts';
import { table } from '../../../src/cli/text/table.ts';

const unit = fc.constantFrom('a', 'p̂', '―', '米', '🙂', ' ', '\u001B[31m', '\u001B[39m');
const line = fc.array(unit, { maxLength: 30 }).map((units) => units.join(''));

describe('text in terminal cells', () => {
  it('measures hats, colours and wide characters', () => {
    assert.equal(displayWidth('p̂ 0.47'), 6);
    assert.equal(displayWidth(coloured.bad('p̂')), 1);
    assert.equal(displayWidth('米 🙂'), 5);
    assert.equal(padEnd('p̂', 3), 'p̂  ');
  });

  it('cuts to a width, and closes the colours it cuts through', () => {
    assert.equal(truncate('abcdef', 4), 'abc…');
    assert.equal(truncate('abcd', 4), 'abcd');
    assert.equal(truncate(`${coloured.bad('abcdef')}gh`, 4), '\u001B[31mabc…\u001B[39m');
    assert.equal(truncate('abc', 0), '');
    fc.assert(
      fc.property(line, fc.integer({ min: 0, max: 40 }), (text, width) => {
        assert.ok(displayWidth(truncate(text, width)) <= width);
      }),
    );
  });

  it('wraps at spaces and loses nothing', () => {
    assert.deepEqual(wrap('one two three\nfour', 8, ' '), [' one two', ' three', ' four']);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'bb', 'ccc'), { minLength: 1 }), (words) => {
        const lines = wrap(words.join(' '), 7);
        assert.equal(lines.join(' '), words.join(' '));
        for (const one of lines) assert.ok(one.length <= 7);
      }),
    );
  });

  it('shows control characters instead of obeying them', () => {
    assert.equal(harmless('a\u001B]0;title\u0007b\tc\nd\r'), 'a␛]0;title␇b\tc\nd␍');
    assert.equal(harmless('\u009B31m\u202Eevil'), '�31m�evil');
    assert.equal(oneLine('  a\n\tb \u0000 '), 'a b ␀');
  });

  it('colours terminals only, and not where that is unwanted', () => {
    assert.equal(styleFor({ isTTY: true }, {}), coloured);
    assert.equal(styleFor({ isTTY: false }, {}), plain);
    assert.equal(styleFor({ isTTY: true }, { NO_COLOR: '1' }), plain);
    assert.equal(styleFor({ isTTY: true }, { NO_COLOR: '' }), coloured);
    assert.equal(styleFor({ isTTY: true }, { TERM: 'dumb' }), plain);
  });
});

describe('numbers', () => {
  it('are the same on every machine', () => {
    assert.deepEqual([rate(0.4666), rate(null), percent(0.425), percent(null)], ['0.47', '–', '42.5 %', '–']);
    assert.deepEqual([0, 12, 1240, 1234567.8].map(count), ['0', '12', '1,240', '1,234,568']);
    assert.deepEqual([null, 0, -2e-9, 0.00004, -0.0123, 8.06, 512.4].map(figures), [
      '–',
      '0',
      '0',
      '4e−5',
      '−0.012',
      '8.1',
      '512',
    ]);
    assert.deepEqual([0.04, 9.96, 59.4, 100, 3599.9, 11_100].map(duration), [
      '0.0 s',
      '10 s',
      '59 s',
      '1 min 40 s',
      '1 h 00 min',
      '3 h 05 min',
    ]);
    assert.equal(moment('2026-11-21T23:38:00.000Z', -60), '2026-11-22 00:38');
  });
});

describe('a table', () => {
  const columns = [
    { title: 'name', cell: ({ name }: { name: string; n: number }) => name, shrinks: true },
    { title: 'n', cell: ({ n }: { name: string; n: number }) => String(n), right: true },
  ];
  const rows = [
    { name: 'a very long name', n: 7 },
    { name: 'p̂', n: 1234 },
  ];

  it('aligns its columns', () => {
    assert.deepEqual(table(columns, rows), [
      'name                 n',
      'a very long name     7',
      'p̂                 1234',
    ]);
  });

  it('shrinks first, then leaves out what it can spare', () => {
    const spare = columns.map((column) => (column.title === 'n' ? { ...column, spare: 1 } : column));
    assert.deepEqual(table(spare, rows, 16), table(columns, rows, 16));
    assert.deepEqual(table(spare, rows, 10), ['name', 'a very lo…', 'p̂']);
    assert.deepEqual(table(spare, rows, 22), table(columns, rows));
  });

  it('shrinks the column that may', () => {
    assert.deepEqual(table(columns, rows, 16), ['name           n', 'a very lo…     7', 'p̂           1234']);
  });
});
