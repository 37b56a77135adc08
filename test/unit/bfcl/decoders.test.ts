import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decode } from '../../../src/benchmarks/bfcl/decoders/decode.ts';
import { decodedText } from '../../../src/benchmarks/bfcl/decoders/decodedText.ts';
import { arrayOfArrays } from '../../../src/benchmarks/bfcl/arrayOfArrays.ts';
import { convertJava } from '../../../src/benchmarks/bfcl/decoders/convertJava.ts';
import { convertJavaScript } from '../../../src/benchmarks/bfcl/decoders/convertJavaScript.ts';
import { taggedCalls } from '../../../src/benchmarks/bfcl/toolCalls.ts';
import { parser } from '../../support/bfcl/parser.ts';
import type { Language } from '../../../src/benchmarks/bfcl/decoders/language.ts';

const decoded = (text: string, language: Language = 'python'): string =>
  decodedText(decode(text, language, parser), language);
const values = (source: string): string => /"x":(.*)\}\}\]\}$/.exec(decoded(`f(x=${source})`))?.[1] ?? 'fails';

/** How many texts each decoder gets; the whole of the issue with 100000. */
const many = Number(process.env['GENENV_FUZZ'] ?? 1500);

const pieces: Record<Language, string[]> = {
  python:
    `f ( ) [ ] { } , = a b x= "s" 't' - + not 1 2.5 0x1F 1_000 1e5 ... True None if else for in lambda : . ** * f"{a}" r"\\d" b"x" # \\ == and @ // % 1j $ é “ """ ''' \n \t \0 -1 --1 2**3 g(a=1) x[1:2] {1:2} :=`.split(
      ' ',
    ),
  java: `f ( ) [ ] { } , = a b x= "s" 't' - + new int[]{1} new HashMap<>() {{ }} ; // /* */ é " ' -> :: (int) 1L 2.5f true null this . < > \n ? @ A.class List.of( new T(`.split(
    ' ',
  ),
  javascript:
    `f ( ) [ ] { } , = a b x= "s" 't' \` \${ => ... 1n 2.5 null {a:1} new Map() /r/g // /* */ é ; : ? ?. ?? async await function <a> </a> # @ \n \u2028 import( class yield \\ -->`.split(
      ' ',
    ),
};

describe('BFCL decoders', () => {
  it('reads values as the official program does', () => {
    const expected: [string, string][] = [
      ['5', '5'],
      ['5.0', '5.0'],
      ['1e16', '1e+16'],
      ['+1', '-1'],
      ['not True', '-1'],
      ['-name', 'fails'],
      ['true', '"true"'],
      ['None', 'null'],
      ['...', '"..."'],
      ['(1, 2)', '[1,2]'],
      ['{"a": [1], None: 2}', '{"a":[1],"null":2}'],
      ['2 ** 70', '1180591620717411303424'],
      ['7 // -2 + 0.5', '-3.5'],
      ['1 / 3', '0.3333333333333333'],
      ['1 + name', 'fails'],
      ['1 / 0', 'fails'],
      ['"a" "b" \'c\'', '"abc"'],
      ['"\\x41\\u00e9\\q"', '"Aé\\\\q"'],
      ['f(1,2)', '"f(1, 2)"'],
      ['g(k=1)', '{"g":{"k":1}}'],
      ['a[ b:c ]', '"a[b:c]"'],
      ['math.pi', 'fails'],
      ['{1, 2}', 'fails'],
      ['[i for i in x]', 'fails'],
      ['a if b else c', 'fails'],
      ['1 < 2', 'fails'],
      ['f"{a}"', 'fails'],
      ['lambda: 1', 'fails'],
      ['012', 'fails'],
      ['"%s-%02d" % ("a", 3)', '"a-03"'],
    ];
    assert.deepEqual(
      expected.map(([source]) => [source, values(source)]),
      expected,
    );
  });

  it('keeps keyword arguments, the last of a name, and names of dotted chains', () => {
    assert.equal(decoded('a.b(1, *c, d=1, d=2)'), '{"decodes":true,"decoded":[{"a.b":{"d":2}}]}');
    assert.equal(decoded('a.b(c).d(e=1)'), '{"decodes":true,"decoded":[{"d":{"e":1}}]}');
    assert.equal(decoded('f(**k)'), '{"decodes":true,"decoded":[{"f":{"null":"k"}}]}');
    assert.equal(decoded('```\n[f(a=1), g()]\n```'), '{"decodes":true,"decoded":[{"f":{"a":1}},{"g":{}}]}');
    assert.equal(decoded('[]'), '{"decodes":true,"decoded":[]}');
    for (const text of [
      'f',
      '[1]',
      'f(a=1',
      'f(a=1) g()',
      'f(a=1, 2)',
      'f(from=1)',
      '[f(a=1)]; x',
      'I would call f(a=1)',
    ]) {
      assert.equal(decoded(text), '{"decodes":false,"decoded":null}', text);
    }
  });

  it('rebuilds Java’s values, and shifts them behind what takes several bytes', () => {
    assert.equal(
      decoded('A.b(x = new int[] { 1, 2 }, y = new HashMap<>() {{ put("a", 1); }}, z = \'c\')', 'java'),
      '{"decodes":true,"decoded":[{"A.b":{"x":"new int[]{1,2}","y":"new HashMap<>()","z":"c"}}]}',
    );
    assert.equal(
      decoded('f(name="é", value=12345)', 'java'),
      '{"decodes":true,"decoded":[{"f":{"name":"é\\"","alue=":"2345)"}}]}',
    );
    assert.equal(decoded('foo(a=1, a=2)', 'java'), '{"decodes":false,"decoded":null}');
    assert.equal(decoded('just a text', 'java').slice(0, 16), '{"decodes":false');
    assert.equal(decoded('', 'java'), '{"decodes":true,"decoded":{}}');
  });

  it('tells a missing semicolon from an error by what bytes cost', () => {
    assert.equal(decoded('f(a=1,b=x)', 'java'), '{"decodes":false,"decoded":null}');
    assert.equal(decoded('f(a=1, b=x)', 'java'), '{"decodes":true,"decoded":[{"f":{"a":"1","b":"x"}}]}');
  });

  it('reads JavaScript’s first call', () => {
    assert.equal(
      decoded('f(a={x: [1]}, b="s", c=() => 1)', 'javascript'),
      '{"decodes":true,"decoded":[{"f":{"a":"{x: [1]}","b":"s","c":"() => 1"}}]}',
    );
    assert.equal(decoded('f(a=1), g(b=2)', 'javascript'), '{"decodes":true,"decoded":null}');
  });

  it('reads tagged calls, a line each', () => {
    const text =
      '<tool_call>\n{"name": "x"}\n</tool_call> <tool_call>\n{"name": "f", "parameters": {"a": 1}}\nnot json\n{"name": "None", "parameters": {}}\n</tool_call>';
    assert.equal(taggedCalls(text).length, 1);
    assert.deepEqual(taggedCalls('f(a=1)'), []);
  });

  for (const language of ['python', 'java', 'javascript'] as const) {
    it(`gives a verdict on any text in ${language}`, () => {
      const piece = fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...pieces[language]) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      );
      const text = fc.array(piece, { maxLength: 25 }).map((parts) => parts.join(' '));
      fc.assert(
        fc.property(
          fc.oneof(
            text,
            text.map((inner) => `f(x=${inner})`),
          ),
          (source) => {
            assert.match(decoded(source, language), /^\{"decodes":(true|false),"decoded":/);
          },
        ),
        { numRuns: many, seed: 11 },
      );
    });
  }

  it('takes no longer for hostile texts', () => {
    const long = 20_000;
    for (const text of [
      '['.repeat(long),
      'f('.repeat(long),
      '-'.repeat(long),
      `f(x=${'1+'.repeat(long)}1)`,
      `f(x=9**9**9**9)`,
      `f(x="${'\\x41'.repeat(long)}")`,
      `f(x=${'a.'.repeat(long)}b())`,
    ]) {
      for (const language of ['python', 'java', 'javascript'] as const) decoded(text, language);
    }
    assert.equal(arrayOfArrays(`[${'[1],'.repeat(2000)}`), null);
    assert.equal(arrayOfArrays('[[1], [2]] + 1'), '[[1], [2]]');
    convertJavaScript(`{${'a: 1, '.repeat(2000)}`, 'dict', null);
    convertJava(`new HashMap<>() {{ ${'put("a", 1); '.repeat(2000)}`, 'HashMap', null);
  });
});
