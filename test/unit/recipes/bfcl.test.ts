import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BfclRecipe } from '../../../src/benchmarks/recipes/bfcl/bfcl.ts';
import { callsOf, callText } from '../../../src/benchmarks/recipes/bfcl/gold.ts';
import { RecipeDomain } from '../../../src/benchmarks/recipes/domain.ts';
import type { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import type { TaskDraft } from '../../../src/shared/records/task.ts';
import { bfclSeed, bfclText, contextOf, rulesOf } from '../../support/recipes/seeds.ts';

describe('recipe of BFCL', () => {
  const seed = bfclSeed();
  let rules: ScorerTable;
  let domain: RecipeDomain;
  before(async () => {
    rules = await rulesOf('bfcl');
    domain = new RecipeDomain(new BfclRecipe(rules), { base: [seed], heldOut: [] });
  });

  const draftOf = (text: string): TaskDraft => {
    const parsed = domain.parseTask(text, '', seed);
    assert.ok(parsed.ok, parsed.ok ? '' : parsed.note);
    return parsed.draft;
  };
  const verdictOn = (text: string): string => {
    const parsed = domain.parseTask(text, '', seed);
    const verified = parsed.ok ? domain.verify(parsed.draft) : parsed;
    return verified.ok ? 'ok' : `${verified.cause}: ${verified.note}`;
  };
  const succeeds = (draft: TaskDraft, content: string): boolean =>
    rules.score(draft, { messages: [{ role: 'assistant', content }], stopReason: 'stop' }).success;

  it('asks with the seed’s functions, question and calls, the form, and how hard it is to be', () => {
    const [system, user] = domain.environmentPrompt(contextOf(seed));
    assert.match(system?.content ?? '', /"functions".*"question".*"calls"/s);
    assert.match(system?.content ?? '', /one function and one call/);
    assert.match(user?.content ?? '', /weather\.get.*over the next 3 days.*"city":"Oslo"/s);
    assert.match(user?.content ?? '', /about 50 % .* Lately it solved 20 % of them\. Make it easier than the seed/s);
    assert.doesNotMatch(domain.environmentPrompt(contextOf(seed, null)).at(-1)?.content ?? '', /Lately/);
  });

  it('makes a task of the benchmark’s own form, whose gold its checker accepts and whose question says it', () => {
    const draft = draftOf(`Here it is:\n\`\`\`json\n${bfclText()}\n\`\`\``);
    assert.deepEqual(domain.verify(draft), { ok: true });
    assert.deepEqual(JSON.parse(draft.gold ?? ''), [
      {
        book_table: {
          restaurant: ['Luigi'],
          people: [4],
          wishes: [['candles', 'high chair']],
          outside: [false, ''],
        },
      },
    ]);
    assert.match(draft.prompt[0]?.content ?? '', /^Answer with calls\.\n\n\[\{"name":"book_table"/);
    // An argument with a default may be left out, given, or given otherwise: only the last is wrong.
    const call = (more: string): string =>
      `[book_table(restaurant='Luigi', people=4, wishes=['candles', 'high chair']${more})]`;
    assert.ok(succeeds(draft, call('')));
    assert.ok(succeeds(draft, call(', outside=False')));
    assert.ok(!succeeds(draft, call(', outside=True')));
  });

  const refused: [string, string, RegExp][] = [
    ['no object', 'I cannot do that.', /^unparseable: there is no JSON object/],
    ['half an object', '{"question": "Where?"', /^unparseable/],
    ['no functions', bfclText({ functions: [] }), /^schema: functions/],
    [
      'a type that is none',
      bfclText({
        functions: [
          {
            name: 'f',
            description: 'd',
            parameters: { type: 'dict', properties: { x: { type: 'number', description: 'x' } }, required: [] },
          },
        ],
      }),
      /^schema: functions\.0\.parameters\.properties\.x\.type/,
    ],
    [
      'a list without a type of its elements',
      bfclText({
        functions: [
          {
            name: 'f',
            description: 'd',
            parameters: { type: 'dict', properties: { x: { type: 'array', description: 'x' } }, required: [] },
          },
        ],
      }),
      /^schema: functions: the elements of f\.x have no type/,
    ],
    ['a call of no function', bfclText({ calls: [{ name: 'g', arguments: {} }] }), /^gold: g is none of/],
    [
      'a call without what it needs',
      bfclText({ calls: [{ name: 'book_table', arguments: { restaurant: 'Luigi' } }] }),
      /^gold: book_table needs people/,
    ],
    [
      'an unknown argument',
      bfclText({ calls: [{ name: 'book_table', arguments: { restaurant: 'Luigi', people: 4, at: 8 } }] }),
      /^gold: book_table has no parameter at/,
    ],
    [
      'a value of another type',
      bfclText({ calls: [{ name: 'book_table', arguments: { restaurant: 'Luigi', people: 4, wishes: 'candles' } }] }),
      /^gold: book_table: wishes = "candles" is no list/,
    ],
    [
      'what the question does not give',
      bfclText({ question: 'Please book a table for four.' }),
      /^gold: the question does not give restaurant = "Luigi" of book_table/,
    ],
    [
      'another number than is said',
      bfclText({ question: 'A table for six at Luigi, with candles, a high chair.' }),
      /people = 4/,
    ],
    [
      'two calls where the category has one',
      bfclText({
        calls: [
          { name: 'book_table', arguments: { restaurant: 'Luigi', people: 4 } },
          { name: 'book_table', arguments: { restaurant: 'Luigi', people: 4 } },
        ],
      }),
      /^schema: simple_python has one call, not 2/,
    ],
  ];
  for (const [what, text, why] of refused) it(`refuses ${what}`, () => assert.match(verdictOn(text), why));

  it('takes a choice, a default and what the description tells for known', () => {
    const functions = [
      {
        name: 'fall',
        description: 'Seconds of a fall.',
        parameters: {
          type: 'dict',
          properties: {
            height: { type: 'float', description: 'Metres.' },
            unit: { type: 'string', description: 'Of the answer.', enum: ['s', 'ms'] },
            gravity: { type: 'float', description: 'Usually 9.81.' },
          },
          required: ['height', 'unit', 'gravity'],
        },
      },
    ];
    const calls = [{ name: 'fall', arguments: { height: 20, unit: 's', gravity: 9.81 } }];
    assert.equal(
      verdictOn(bfclText({ functions, question: 'How long does a fall from 20 metres take?', calls })),
      'ok',
    );
  });

  it('varies tasks in Python alone, and says which it cannot', () => {
    const recipe = new BfclRecipe(rules);
    assert.equal(recipe.misfit(seed), null);
    const java = { ...seed, evaluation: { ...seed.evaluation, language: 'java' } };
    assert.match(recipe.misfit(java) ?? '', /written in java, and this recipe writes Python/);
    assert.match(recipe.misfit(bfclSeed('x', 'irrelevance')) ?? '', /category “irrelevance”/);
    assert.match(recipe.misfit({ ...seed, evaluation: { kind: 'exact' } }) ?? '', /judged by “exact”/);
  });

  const value = fc.oneof(
    fc.integer({ min: 0, max: 10 ** 9 }).map((one) => ({ type: 'integer', value: one })),
    fc.stringMatching(/^[a-z]{1,12}( [a-z]{1,12})?$/).map((one) => ({ type: 'string', value: one })),
    fc.boolean().map((one) => ({ type: 'boolean', value: one })),
    fc.array(fc.integer({ min: 0, max: 999 }), { maxLength: 4 }).map((one) => ({ type: 'array', value: one })),
  );
  const call = fc.tuple(
    fc.stringMatching(/^[a-z]{3,8}_[a-z]{3,8}$/),
    fc.dictionary(fc.stringMatching(/^p_[a-z]{1,6}$/), value, { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
  );

  it('accepts random tasks by their gold, and no mutation of it', () => {
    fc.assert(
      fc.property(call, ([name, given]) => {
        const entries = Object.entries(given);
        const properties = Object.fromEntries(
          entries.map(([key, { type }]) => [
            key,
            { type, description: 'One of them.', ...(type === 'array' ? { items: { type: 'integer' } } : {}) },
          ]),
        );
        const required = Object.keys(properties);
        const functions = [{ name, description: 'Does it.', parameters: { type: 'dict', properties, required } }];
        const args = Object.fromEntries(entries.map(([key, one]) => [key, one.value]));
        const question = `Do it with ${entries.map(([, one]) => JSON.stringify(one.value)).join(' and ')} now`;
        const draft = draftOf(bfclText({ functions, question, calls: [{ name, arguments: args }] }));
        assert.deepEqual(domain.verify(draft), { ok: true });
        const right = callsOf(draft.gold);
        assert.ok(succeeds(draft, callText(right)));
        const [first] = right;
        assert.ok(first !== undefined);
        for (const [key, old] of first.arguments) {
          const other =
            typeof old === 'bigint'
              ? old + 1n
              : typeof old === 'boolean'
                ? !old
                : typeof old === 'string'
                  ? `${old}x`
                  : [7n, 7n, 7n, 7n, 7n];
          const wrong = { name, arguments: new Map([...first.arguments, [key, other]]) };
          assert.ok(!succeeds(draft, callText([wrong])), `${key} mutated`);
          const less = { name, arguments: new Map([...first.arguments].filter(([one]) => one !== key)) };
          assert.ok(!succeeds(draft, callText([less])), `${key} left out`);
        }
        assert.ok(!succeeds(draft, callText([{ ...first, name: `${name}x` }])));
        assert.ok(!succeeds(draft, callText([...right, ...right])));
      }),
      { numRuns: 200 },
    );
  }).timeout(240_000);

  it('gives a verdict on whatever is written', () => {
    const wild = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record({ functions: fc.jsonValue(), question: fc.jsonValue(), calls: fc.jsonValue() })
        .map((one) => JSON.stringify(one)),
      fc.tuple(fc.nat(400), fc.string({ maxLength: 3 })).map(([at, put]) => {
        const text = bfclText();
        return text.slice(0, at) + put + text.slice(at + 1);
      }),
    );
    fc.assert(
      fc.property(wild, (text) => /^ok$|^(unparseable|schema|gold): ./s.test(verdictOn(text))),
      { numRuns: 2000 },
    );
  }).timeout(240_000);
});
