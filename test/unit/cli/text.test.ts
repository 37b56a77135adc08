import assert from 'node:assert/strict';
import fc from 'fast-check';
import { displayWidth, oneLine, padEnd, truncate, wrap } from '../../../src/cli/text/displayWidth.ts';
import { showsColours, style } from '../../../src/cli/text/style.ts';
import { bytesOf } from '../../support/cli.ts';
import { joinedBy, onOneLine, Styled, styled } from '../../../src/cli/text/styled.ts';
import { table } from '../../../src/cli/text/table.ts';

const unit = fc.constantFrom('a', 'p̂', '―', '米', '🙂', ' ', '👩‍👩‍👧', '\u001B[31m', '\u202E', style.bad('p̂'));
const line = fc.array(unit, { maxLength: 30 }).map((units) => Styled.joined(units));

describe('text in terminal cells', () => {
  it('measures hats, colours and wide characters', () => {
    assert.equal(displayWidth('p̂ 0.47'), 6);
    assert.equal(displayWidth(style.bad('p̂')), 1);
    assert.equal(displayWidth('米 🙂'), 5);
    assert.equal(String(padEnd('p̂', 3)), 'p̂  ');
    assert.equal(displayWidth('\u001B[31m'), 5);
    assert.equal(displayWidth('\u202E'), 8);
  });

  it('cuts to a width, and closes the colours it cuts through', () => {
    assert.equal(String(truncate('abcdef', 4)), 'abc…');
    assert.equal(String(truncate('abcd', 4)), 'abcd');
    assert.equal(bytesOf(truncate(styled`${style.bad('abcdef')}gh`, 4), { colours: true }), '\u001B[31mabc…\u001B[39m');
    assert.equal(String(truncate('abc', 0)), '');
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

  it('gathers what has line breaks on one line', () => {
    assert.equal(oneLine('  a\n\tb \u0000 '), 'a b \u0000');
    assert.equal(String(onOneLine('a\nb\tc')), 'a␊b c');
    assert.equal(String(joinedBy(', ', ['a', style.dim('b')])), 'a, b');
    assert.equal(String(styled`a${1} \t ${'  '}`.trimmedEnd()), 'a1');
    assert.equal(String(Styled.joined([' ', '']).trimmedEnd()), '');
  });

  it('colours terminals only, and not where that is unwanted', () => {
    assert.equal(showsColours({ isTTY: true }, {}), true);
    assert.equal(showsColours({ isTTY: false }, {}), false);
    assert.equal(showsColours({ isTTY: true }, { NO_COLOR: '1' }), false);
    assert.equal(showsColours({ isTTY: true }, { NO_COLOR: '' }), true);
    assert.equal(showsColours({ isTTY: true }, { TERM: 'dumb' }), false);
    assert.equal(
      bytesOf(style.bold(styled`a ${style.bad('b')}`), { colours: true }),
      '\u001B[1ma \u001B[22m\u001B[1m\u001B[31mb\u001B[39m\u001B[22m',
    );
    assert.equal(bytesOf(style.bold('a')), 'a');
  });
});

describe('the gate to a terminal', () => {
  const hostile = '\u001B]0;title\u0007\u009B31m\u202Egnp\u200B\r\u001B[2J';

  it('shows what it is given as text, within colours as well', () => {
    const shown = '␛]0;title␇\\u{9b}31m\\u{202e}gnp\\u{200b}␍␛[2J';
    assert.equal(bytesOf(hostile), shown);
    assert.equal(bytesOf(styled`${hostile}`), shown);
    assert.equal(bytesOf(style.bad(hostile), { colours: true }), `\u001B[31m${shown}\u001B[39m`);
    assert.equal(bytesOf(Styled.of('a').changed(() => hostile)), shown);
    assert.equal(bytesOf(truncate(hostile, 500)), shown);
  });

  it('escapes JSON as JSON on a terminal, and leaves it exact elsewhere', () => {
    const json = JSON.stringify({ hostile: `${hostile}\u{E0041}` });
    const shown = bytesOf(Styled.json(json), { isTTY: true });
    assert.doesNotMatch(shown, /[\u007F-\u009F\u200B\u202E\u{E0041}]/u);
    assert.deepEqual(JSON.parse(shown), JSON.parse(json));
    assert.equal(bytesOf(Styled.json(json), { isTTY: false }), json);
  });

  it('lets nothing through that a terminal obeys, whatever is composed', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constant(hostile));
    fc.assert(
      fc.property(text, text, text, fc.nat(60), (a, b, c, width) => {
        const composed = styled`${style.bad(a)}: ${truncate(styled`${b}${style.dim(c)}`, width)}`;
        const bytes = bytesOf(
          Styled.joined([composed, ...table([{ title: a, cell: (cell) => cell }], [b, c], width)]),
          { colours: true },
        );
        const foreign = bytes.replace(/\u001B\[(?:1|2|22|3[1-9])m/g, '');
        assert.doesNotMatch(
          foreign,
          /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069]/,
        );
      }),
    );
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
    assert.deepEqual(table(columns, rows).map(String), [
      'name                 n',
      'a very long name     7',
      'p̂                 1234',
    ]);
  });

  it('shrinks first, then leaves out what it can spare', () => {
    const spare = columns.map((column) => (column.title === 'n' ? { ...column, spare: 1 } : column));
    assert.deepEqual(table(spare, rows, 16).map(String), table(columns, rows, 16).map(String));
    assert.deepEqual(table(spare, rows, 10).map(String), ['name', 'a very lo…', 'p̂']);
    assert.deepEqual(table(spare, rows, 22).map(String), table(columns, rows).map(String));
  });

  it('shrinks the column that may', () => {
    assert.deepEqual(table(columns, rows, 16).map(String), [
      'name           n',
      'a very lo…     7',
      'p̂           1234',
    ]);
  });
});
