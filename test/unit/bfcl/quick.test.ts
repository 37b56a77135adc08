import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Call } from '../../../src/benchmarks/bfcl/call.ts';
import { expectedCalls, functionDocuments } from '../../../src/benchmarks/bfcl/case.ts';
import { DecodeFault } from '../../../src/benchmarks/bfcl/decoders/decodeFault.ts';
import { decodeJava } from '../../../src/benchmarks/bfcl/decoders/decodeJava.ts';
import { decodeJavaScript } from '../../../src/benchmarks/bfcl/decoders/decodeJavaScript.ts';
import { decodeExpression } from '../../../src/benchmarks/bfcl/decoders/decodePython.ts';
import { plainCall } from '../../../src/benchmarks/bfcl/decoders/plainCall.ts';
import { plainCalls } from '../../../src/benchmarks/bfcl/python/plainCalls.ts';
import { Dict, equal, kindOf, type Value } from '../../../src/benchmarks/bfcl/python/value.ts';
import { readCase } from '../../../src/benchmarks/offline/pythonCase.ts';
import { parseJson } from '../../../src/benchmarks/python/json.ts';
import type { PythonValue } from '../../../src/benchmarks/python/value.ts';
import { parser } from '../../support/bfcl/parser.ts';

/** Pieces that calls are made of, and some that only the whole grammar reads. */
const pieces = [
  ...[
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    ',',
    ', ',
    '=',
    ':',
    '.',
    '-',
    ' ',
    '\n',
    '\\',
    '#',
    'f',
    'a.b',
    'x',
    'x=',
    'f(',
    'f(x=',
  ],
  ...[
    '1',
    '0',
    '01',
    '1.5',
    '5.0',
    '1e3',
    '1_0',
    '0x1',
    '7j',
    '123456789012345678',
    'True',
    'None',
    'Falsey',
    'é',
    'and',
  ],
  ...[
    "'t'",
    '"t"',
    "'a\\n'",
    "r'x'",
    "f'{x}'",
    "'''t'''",
    "''",
    "'é'",
    "'\0'",
    "'k': 1",
    '**k',
    '*a',
    'lambda: 1',
    'if',
  ],
];
const callText = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => `[f(x=${parts.join('')})]`),
  fc.array(fc.constantFrom(...pieces), { maxLength: 9 }).map((parts) => `[${parts.join('')}]`),
);

/** Names, and words that are none in some place of Java or JavaScript. */
const name = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,30}$/) },
  fc.constantFrom(
    'new',
    'this',
    'of',
    'get',
    'async',
    'var',
    'record',
    'yield',
    'undefined',
    'true',
    'int',
    '_',
    '$a',
    'é',
  ),
);
const value = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^"[ -!#-[\]-~]{0,60}"$/) },
  { weight: 6, arbitrary: fc.stringMatching(/^-?[1-9][0-9]{0,14}(\.[0-9]{1,9})?$/) },
  { weight: 4, arbitrary: fc.constantFrom('true', 'false', '0') },
  fc.stringMatching(/^"[ -~]{0,60}"$/),
  fc.stringMatching(/^'[ -~]{0,6}'$/),
  fc.stringMatching(/^-?[0-9]{1,17}(\.[0-9]{0,9})?$/),
  fc.constantFrom('null', '[1]', '"é"', '-0', '1e5', '5L', '- 5', 'b', 'f(x=1)', '"a" + "b"', ''),
);
const invocation = fc
  .record({
    names: fc.array(name, { minLength: 1, maxLength: 3 }),
    given: fc.array(fc.tuple(name, value), { maxLength: 5 }),
    comma: fc.constantFrom(', ', ', ', ',', ' , ', ',\n'),
    end: fc.constantFrom(')', ')', ')', ')', ')', ')', ');', ' )', ',)', ', ', ''),
  })
  .map(({ names, given, comma, end }) => {
    const words = given.map(([key, value]) => `${key}=${value}`);
    return `${names.join('.')}(${words.join(comma)}${end}`;
  });

/** Whether kinds are the same too, all the way down. */
function alike(a: Value, b: Value): boolean {
  if (kindOf(a) !== kindOf(b)) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, i) => alike(one, b[i] ?? null));
  if (!(a instanceof Dict)) return Object.is(a, b) || (typeof a !== 'number' && equal(a, b));
  const other = b instanceof Dict ? Array.from(b) : [];
  return (
    Array.from(a).every(([key, value], i) => key === other[i]?.[0] && alike(value, other[i][1])) &&
    other.length === a.size
  );
}

const json = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      '1',
      '0',
      '-0',
      '5.0',
      '-5.00',
      '1e3',
      '1E-2',
      '0.5',
      '9007199254740993',
      '1.00000000000000001',
      '12345678.000',
    ),
    fc.constantFrom(
      'NaN',
      'Infinity',
      '-Infinity',
      'true',
      'null',
      '" 5.0"',
      '", 5.0,"',
      '"\\u00e9\\n"',
      '""',
      '01',
      '+1',
      '"\t"',
    ),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '1', '0', '__proto__', 'x y', 'id'), tie('value')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`),
  ),
})).value;

const exact = (line: string): PythonValue | undefined => {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

describe('BFCL’s short cuts', function () {
  this.timeout(60_000);

  it('read calls as the whole grammar does, or leave them to it', () => {
    let read = 0;
    fc.assert(
      fc.property(callText, (text) => {
        const quick = plainCalls(text);
        if (quick === null) return;
        read += 1;
        const slow = decodeExpression(text);
        assert.deepEqual(
          quick.map(({ name }) => name),
          slow.map(({ name }) => name),
        );
        assert.ok(
          quick.every(({ parameters }, i) => alike(parameters, slow[i]?.parameters ?? null)),
          text,
        );
      }),
      { numRuns: 20_000 },
    );
    assert.ok(read > 500, String(read));
  });

  for (const language of ['java', 'javascript'] as const) {
    it(`read calls in ${language} as tree-sitter does, or leave them to it`, () => {
      let read = 0;
      fc.assert(
        fc.property(invocation, (source) => {
          const quick = plainCall(source, language);
          if (quick === null) return;
          read += 1;
          assert.deepEqual(callsText([quick]), byTreeSitter(source, language), source);
        }),
        { numRuns: Number(process.env['GENENV_FUZZ'] ?? 5000) },
      );
      assert.ok(read > 500, String(read));
      for (const source of ['f(', 'f()', 'f(x=1', 'f(x=1, ', 'f(x=1))', 'f(x=1,  y=2)', 'call(first=1, first=2)']) {
        assert.equal(plainCall(source, language), null, source);
      }
    });
  }

  it('leave calls in Java to tree-sitter that it may find too short for a missing semicolon', () => {
    assert.equal(byTreeSitter('right(x=1)', 'java'), 'not Java');
    assert.equal(byTreeSitter('update(x=1)', 'java'), '[["update",[["x","1"]]]]');
    assert.equal(plainCall('update(x=1)', 'java'), null);
    assert.notEqual(plainCall('update(xylophone=1)', 'javascript'), null);
  });

  it('read the members of a line as Python does: kinds and sizes of numbers, order of names, what is no JSON', () => {
    fc.assert(
      fc.property(json, json, fc.constantFrom('a', 'b'), (a, b, field) => {
        const line = `{"a": ${a}, "b":${b}}`;
        const slow = exact(line);
        if (slow instanceof Map) assert.equal(text(readCase(line).get(field)), text(slow.get(field)), line);
        else assert.throws(() => readCase(line));
      }),
      { numRuns: 20_000 },
    );
  });

  it('refuse what Python’s reader refuses though JSON.parse does not', () => {
    const deep = `{"a": ${'['.repeat(1000)}${']'.repeat(1000)}}`;
    assert.throws(() => readCase(deep), /nested too deeply/);
    assert.throws(() => readCase(`{"a": ${'7'.repeat(4301)}}`), /too many digits/);
    assert.throws(() => readCase('[]'), /a case is an object/);
    assert.ok(readCase(`{"a": ${'7'.repeat(4300)}}`).get('a') === BigInt('7'.repeat(4300)));
  });

  it('say of documents and answers what reading all of them says', () => {
    const line =
      '{"possible_answer": [{"f": {"x": [5.0, 5, ""], "10": [1], "9": [2]}}], "function": [{"name": "f", "parameters": ' +
      '{"properties": {"x": {"type": "array", "items": {"type": "float"}, "default": 5.0}, "y": {"type": 3}}, "required": ["x", 1]}}]}';
    const [quick] = functionDocuments(readCase(line));
    const [slow] = functionDocuments({ get: (field) => membersOf(line).get(field) });
    assert.deepEqual([quick?.name, quick?.required], [slow?.name, slow?.required]);
    for (const key of ['x', 'y', 'z', null, 1n]) {
      const [a, b] = [quick?.properties.get(key), slow?.properties.get(key)];
      assert.equal(a instanceof Dict && a.get('type'), b instanceof Dict && b.get('type'));
    }
    const [answer] = expectedCalls(readCase(line));
    assert.deepEqual(Array.from(answer?.parameters ?? []), [
      ['x', [5, 5n, '']],
      ['10', [1n]],
      ['9', [2n]],
    ]);
    assert.throws(() => functionDocuments(readCase('{"function": [{"name": 5}]}')), /is missing/);
    assert.throws(() => expectedCalls(readCase('{"possible_answer": [{"f": {"x": 5}}]}')), /list of acceptable values/);
  });

  it('keep a dict’s keys apart and in order, whatever kinds they have', () => {
    const dict = Dict.of([
      ['n1', 'text'],
      ['s', 'text'],
      [1n, 'int'],
      ['sn1', 'text'],
      [true, 'the same as 1'],
      [null, 'none'],
    ]);
    assert.deepEqual(dict.keys(), ['n1', 's', 1n, 'sn1', null]);
    assert.equal(dict.get(1), 'the same as 1');
    assert.equal(dict.get('n1'), 'text');
    dict.delete(1n);
    assert.equal(dict.has(1n), false);
    assert.equal(dict.get('s'), 'text');
  });
});

const callsText = (calls: readonly Call[]): string =>
  JSON.stringify(calls.map(({ name, parameters }) => [name, Array.from(parameters)]));

function byTreeSitter(source: string, language: 'java' | 'javascript'): string {
  try {
    const calls = (language === 'java' ? decodeJava : decodeJavaScript)(source, parser());
    return calls === null ? 'no call' : callsText(calls);
  } catch (error) {
    if (error instanceof DecodeFault) return error.message;
    throw error;
  }
}

const membersOf = (line: string): ReadonlyMap<string, PythonValue> => {
  const value = parseJson(line);
  assert.ok(value instanceof Map);
  return value;
};

const text = (value: PythonValue | undefined): string =>
  value === undefined ? 'nothing' : JSON.stringify(kinds(value));

/** JSON cannot write NaN, and `jsonText` makes it null. */
function kinds(value: PythonValue): unknown {
  if (Array.isArray(value)) return value.map(kinds);
  if (value instanceof Map) return Array.from(value, ([key, item]) => [key, kinds(item)]);
  return typeof value === 'number' || typeof value === 'bigint' ? `${typeof value} ${value}` : value;
}
