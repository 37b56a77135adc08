import assert from 'node:assert/strict';
import { jsonText, parseJson } from '../../../src/benchmarks/python/json.ts';
import { parseLiteral } from '../../../src/benchmarks/python/literal.ts';
import { roundHalfEven } from '../../../src/benchmarks/python/round.ts';
import { splitWords, strip } from '../../../src/benchmarks/python/text.ts';
import { equal } from '../../../src/benchmarks/python/value.ts';

describe('texts as Python treats them', () => {
  it('have its white space, not JavaScript’s', () => {
    assert.deepEqual(splitWords('\x1ca\x85b\u3000 c\ufeff'), ['a', 'b', 'c\ufeff']);
    assert.equal(strip('\x1f\u2029 a b \x1c'), 'a b');
    assert.equal(strip('\ufeffa'), '\ufeffa');
    assert.equal(strip(' \n'), '');
  });
});

describe('numbers as Python rounds them', () => {
  it('go by their exact value, ties to the even digit', () => {
    assert.equal(roundHalfEven(0.03125, 4), 0.0312);
    assert.equal(roundHalfEven(0.09375, 4), 0.0938);
    assert.equal(roundHalfEven(0.00005, 4), 0.0001);
    assert.equal(roundHalfEven(0.66665, 4), 0.6666);
    assert.equal(roundHalfEven(1, 4), 1);
  });
});

describe('JSON as Python reads it', () => {
  it('tells whole numbers from floats, whatever their size', () => {
    assert.deepEqual(parseJson('[1, 1.0, 9007199254740993, 1e2, -0]'), [1n, 1, 9007199254740993n, 100, 0n]);
    assert.equal(
      jsonText(parseJson('[5,5.0,9007199254740993,1e+30,-0.0,"é"]')),
      '[5,5.0,9007199254740993,1e+30,-0.0,"é"]',
    );
  });

  it('knows NaN and the infinities, and writes null for them', () => {
    assert.deepEqual(
      parseJson('{"a": NaN, "b": [-Infinity, Infinity]}'),
      new Map<string, unknown>([
        ['a', NaN],
        ['b', [-Infinity, Infinity]],
      ]),
    );
    assert.equal(jsonText([NaN, Infinity]), '[null,null]');
  });

  it('refuses what json refuses', () => {
    for (const text of [
      '',
      '01',
      '1.',
      '.5',
      '+1',
      '[1,]',
      '{"a":1,}',
      "{'a':1}",
      '"a\nb"',
      '"\\x"',
      '[1] 2',
      '\u00a01',
      'nul',
      '{1:2}',
      '[',
      '"a',
      '['.repeat(2000),
    ]) {
      assert.throws(() => parseJson(text), SyntaxError, text);
    }
  });

  it('compares by value: 1, 1.0 and True are one, 2^53 + 1 is not 2^53 as a float', () => {
    const same = (a: string, b: string): boolean => equal(parseJson(a), parseJson(b));
    assert.ok(same('[1, {"a": 1.0}]', '[true, {"a": 1}]'));
    assert.ok(same('{"a": 1, "b": 2}', '{"b": 2, "a": 1}'));
    assert.ok(same('{"a": NaN}', '{"a": NaN}'), 'of members identity counts first');
    for (const [a, b] of [
      ['9007199254740993', '9007199254740992.0'],
      ['NaN', 'NaN'],
      ['"1"', '1'],
      ['null', 'false'],
      ['[]', '{}'],
      ['[1]', '[1, 2]'],
      ['{"a": 1}', '{"b": 1}'],
      ['{"a": 1}', '{"a": 1, "b": 2}'],
    ] as const) {
      assert.ok(!same(a, b), `${a} ${b}`);
      assert.ok(!same(b, a), `${b} ${a}`);
    }
  });
});

describe('Python literals', () => {
  it('are read with their own spellings', () => {
    const value = parseLiteral(
      `{'a': (1, 2.5, -3,), "b": [None, True, 0x1F, 1_000], 'c': 'x' "y" r'\\n' '\\x41\\u00e9\\101\\q'}`,
    );
    assert.deepEqual(
      value,
      new Map<string, unknown>([
        ['a', [1n, 2.5, -3n]],
        ['b', [null, true, 31n, 1000n]],
        ['c', 'xy\\nAéA\\q'],
      ]),
    );
    assert.equal(parseLiteral('("a")'), 'a');
    assert.deepEqual(parseLiteral('()'), []);
    assert.equal(parseLiteral('"""a"b\n"""'), 'a"b\n');
  });

  it('are nothing that has to be run, and no JSON', () => {
    for (const text of [
      '',
      'true',
      'null',
      'f(1)',
      'a',
      '1 + 1',
      "f'a'",
      "b'a'",
      "'a",
      '[1',
      '[,]',
      '{1: 2}',
      '{1}',
      '--1',
      '012',
      "'\\x4'",
      '1 2',
      '('.repeat(5000),
    ]) {
      assert.throws(() => parseLiteral(text), SyntaxError, text);
    }
  });
});
