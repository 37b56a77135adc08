/** Tool calls: the formats they are read in, and how far they may differ from the gold's. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseAnswer } from '../../../../src/benchmarks/adapter/answers/parseAnswer.ts';
import { sayAnswer } from '../../../../src/benchmarks/adapter/answers/sayAnswer.ts';
import { toolCalls } from '../../../../src/benchmarks/rules/calls.ts';
import { parseExactly } from '../../../../src/shared/json.ts';
import type { AnswerSpec } from '../../../../src/shared/adapters/answer.ts';

const formats = ['json', 'react', 'python', 'openai'] as const;
type Format = (typeof formats)[number];
const read = (text: string, format: Format) => parseAnswer(text, { kind: 'tool-calls', format });
const call = (name: string, given: object): object => ({ name, arguments: given });

/** A format, a text, and the calls or what is said instead of them. */
const texts: [Format, string, object[] | RegExp][] = [
  ['react', 'Thought: look\nAction: search\nAction Input: {"q": "x"}', [call('search', { q: 'x' })]],
  ['react', 'Action: look up\nAction Input: the "moon"\nObservation: big', [call('look up', { input: 'the "moon"' })]],
  ['react', 'Action: f\nAction Input:\n```json\n{"a":\n [1]}\n```\nThought: so', [call('f', { a: [1] })]],
  ['react', 'Action 1: f\nAction Input 1: {}\nAction 2: g\nAction Input 2: {}', [call('f', {}), call('g', {})]],
  ['react', 'Action: f\nAction Input: {}\nObservation: 1\nAction: g\nAction Input: {}', [call('f', {})]],
  ['react', 'Action: f\nAction Input: {"a": 1', /input of f is not JSON/],
  ['react', 'Action: f\nThought: no', /action f has no Action Input/],
  ['react', 'Action Input: {}', /has no Action/],
  ['react', 'Final Answer: 3', /has no Action/],
  ['python', 'f(x=1, y="a")', [call('f', { x: 1, y: 'a' })]],
  [
    'python',
    '[a.b(t=(1, 2.5), u={"k": None, "l": [True, -3]}), g()]',
    [call('a.b', { t: [1, 2.5], u: { k: null, l: [true, -3] } }), call('g', {})],
  ],
  ['python', 'So:\n```python\nf(x=1)\ng(y=2)\n```\n', [call('f', { x: 1 }), call('g', { y: 2 })]],
  ...[
    '```python title="a.py"\nf(x=1)\ng(y=2)\n```',
    '# first f\nf(x=1)  # then g\n\n  # and\ng(y=2)',
    'f(\n  x=1,  # one\n)\ng(y=2)',
    'f(x=1); g(y=2);',
    'f(x=1),\ng(y=2)',
  ].map((text): (typeof texts)[number] => ['python', text, [call('f', { x: 1 }), call('g', { y: 2 })]]),
  ['python', '# nothing', /no Python call/],
  ['python', 'f(x=1) g(y=2)', /no Python call/],
  ['python', 'f(1)', /arguments must have names/],
  ['python', 'f(**x)', /\*\* is not known/],
  ['python', 'f(x=g())', /a call is no literal/],
  ['python', 'f(x=1+1)', /a binary is no literal/],
  ['python', 'I would call f.', /no Python call/],
  ['python', '', /no Python call/],
  [
    'openai',
    '{"tool_calls":[{"id":"1","type":"function","function":{"name":"f","arguments":"{\\"x\\":1}"}}]}',
    [call('f', { x: 1 })],
  ],
  ['openai', '[{"function":{"name":"f","arguments":{"x":1}}}]', [call('f', { x: 1 })]],
  ['openai', '{"function":{"name":"f","arguments":"no"}}', /no JSON object/],
  ['openai', '{"name":"f","arguments":{}}', /no tool_calls/],
];

describe('tool calls are read', () => {
  for (const [format, text, expected] of texts) {
    it(`as ${format} out of ${JSON.stringify(text).slice(0, 60)}`, () => {
      const parsed = read(text, format);
      if (expected instanceof RegExp) assert.match(parsed.ok ? JSON.stringify(parsed.value) : parsed.note, expected);
      else assert.deepEqual(parsed, { ok: true, value: expected });
    });
  }

  const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,5}$/).filter((text) => !keywords.has(text));
  const value = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(null, true, false, 0, 1.5, -2, 1e21, 1e-7, 12345678901234567890),
      fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed() && !/[\u0000\u2028\u2029]/.test(text)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  const calls = fc.array(
    fc.record({ name, arguments: fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true }) }),
    { minLength: 1, maxLength: 3 },
  );

  it('as they were said in each format', () => {
    fc.assert(
      fc.property(fc.constantFrom(...formats), calls, (format, said) => {
        const spec: AnswerSpec = { kind: 'tool-calls', format };
        const text = sayAnswer(JSON.stringify(said), spec) ?? '';
        const value = parseExactly(JSON.stringify(said));
        assert.deepEqual(parseAnswer(text, spec), { ok: true, value }, text);
      }),
      { numRuns: 500 },
    );
  });

  it('not in Python where a name is none, and not in other words than JSON where the gold is no call', () => {
    const odd = JSON.stringify([call('my-tool', {})]);
    assert.deepEqual(
      formats.map((format) => sayAnswer(odd, { kind: 'tool-calls', format }) !== null),
      [true, true, false, true],
    );
    assert.deepEqual(
      formats.map((format) => sayAnswer('no call', { kind: 'tool-calls', format })),
      ['no call', null, null, null],
    );
  });
});

const keywords = new Set([
  'as',
  'if',
  'in',
  'is',
  'or',
  'and',
  'def',
  'del',
  'for',
  'not',
  'try',
  'elif',
  'else',
  'from',
]);
for (const word of [
  'pass',
  'with',
  'async',
  'await',
  'break',
  'class',
  'raise',
  'while',
  'yield',
  'global',
  'import',
  'lambda',
  'return',
  'assert',
  'except',
])
  keywords.add(word);

type Options = Parameters<typeof toolCalls.judge>[2];
const strict: Options = { order: 'any' };
const gold = { city: 'Paris', limit: 10 };

/** Options, the gold's arguments, the answer's, and whether these are right. */
const settings: [Options, object, object, boolean][] = [
  [strict, gold, { limit: 10.0, city: 'Paris' }, true],
  [strict, gold, { city: 'Paris' }, false],
  [strict, gold, { ...gold, unit: 'km' }, false],
  [{ ...strict, optional: ['limit'] }, gold, { city: 'Paris' }, true],
  [{ ...strict, optional: ['f.limit'] }, gold, { city: 'Paris' }, true],
  [{ ...strict, optional: ['g.limit'] }, gold, { city: 'Paris' }, false],
  [{ ...strict, optional: ['limit'] }, gold, { city: 'Paris', limit: 9 }, false],
  [{ ...strict, defaults: { limit: 10 } }, gold, { city: 'Paris' }, true],
  [{ ...strict, defaults: { limit: 9 } }, gold, { city: 'Paris' }, false],
  [{ ...strict, defaults: { unit: 'km' } }, gold, { ...gold, unit: 'km' }, true],
  [{ ...strict, defaults: { unit: 'km' } }, gold, { ...gold, unit: 'mi' }, false],
  [{ ...strict, defaults: { limit: 9, 'f.limit': 10 } }, gold, { city: 'Paris' }, true],
  [{ ...strict, extra: true }, gold, { ...gold, unit: 'km' }, true],
  [{ ...strict, extra: true }, gold, { city: 'Paris' }, false],
  [{ ...strict, absolute: 0.5 }, gold, { city: 'Paris', limit: 10.5 }, true],
  [{ ...strict, absolute: 0.5 }, gold, { city: 'Paris', limit: 10.6 }, false],
  [{ ...strict, relative: 0.1 }, { x: [{ y: -200 }] }, { x: [{ y: -181 }] }, true],
  [{ ...strict, relative: 0.1 }, { x: [{ y: -200 }] }, { x: [{ y: -179 }] }, false],
  [{ ...strict, absolute: 9 }, { x: 1 }, { x: true }, false],
  [{ ...strict, absolute: 9 }, { x: 1 }, { x: '1' }, false],
  [{ ...strict, text: 'folded' }, gold, { city: ' paris', limit: 10 }, true],
  [{ ...strict, text: 'trimmed' }, gold, { city: ' paris', limit: 10 }, false],
];

describe('the rule of tool calls', () => {
  const judge = (options: Options, wanted: object[], given: object[]) =>
    toolCalls.judge(given, toolCalls.readGold(JSON.stringify(wanted), options), options);

  for (const [options, right, given, success] of settings) {
    it(`with ${JSON.stringify(options)}: ${JSON.stringify(given)} for ${JSON.stringify(right)}`, () => {
      const judgement = judge(options, [call('f', right)], [call('f', given)]);
      assert.deepEqual([judgement.success, judgement.reward], [success, Number(success)]);
    });
  }

  it('gives every call of the gold one of its own wherever that can be done, in whichever order they come', () => {
    const near: Options = { order: 'any', absolute: 1 };
    const [two, three] = [call('f', { x: 2 }), call('f', { x: 3 })];
    // The first of the gold may have either; the second only one of them.
    for (const given of [
      [call('f', { x: 2.5 }), call('f', { x: 3.5 })],
      [call('f', { x: 3.5 }), call('f', { x: 2.5 })],
    ])
      for (const wanted of [
        [two, three],
        [three, two],
      ])
        assert.equal(judge(near, wanted, given).success, true);
  });

  it('tells the share of the calls and of the names that are right', () => {
    const given = [call('g', { x: 1 }), call('f', { x: 2 }), call('h', {})];
    const { success, reward, parts } = judge(strict, [call('f', { x: 1 }), call('g', { x: 1 })], given);
    assert.deepEqual([success, reward, parts], [false, 1 / 3, { calls: 1 / 3, names: 2 / 3 }]);
  });

  it('is satisfied by the gold, whatever may differ, and never by less where nothing may', () => {
    const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom('a', 'A ', true, null));
    const one = fc.record({
      name: fc.constantFrom('f', 'g'),
      arguments: fc.dictionary(fc.constantFrom('x', 'y', 'z'), value, { noNullPrototype: true }),
    });
    const list = fc.array(one, { minLength: 1, maxLength: 4 });
    const options = fc.record({
      order: fc.constantFrom<'given' | 'any'>('given', 'any'),
      optional: fc.constantFrom<string[]>([], ['x'], ['f.y']),
      defaults: fc.constantFrom<Record<string, unknown>>({}, { x: 1 }, { 'g.z': 'a' }),
      extra: fc.boolean(),
      absolute: fc.constantFrom(0, 1),
      text: fc.constantFrom<'exact' | 'folded'>('exact', 'folded'),
    });
    fc.assert(
      fc.property(list, list, options, (wanted, other, wide) => {
        assert.deepEqual(judge(wide, wanted, wanted).reward, 1);
        const narrow = judge({ order: wide.order }, wanted, other);
        const wider = judge(wide, wanted, other);
        assert.ok(wider.reward >= narrow.reward, 'what may differ more is no less right');
        const shuffled = judge({ ...wide, order: 'any' }, wanted, other.toReversed());
        assert.equal(shuffled.reward, judge({ ...wide, order: 'any' }, wanted, other).reward);
      }),
      { numRuns: 800 },
    );
  });
});
