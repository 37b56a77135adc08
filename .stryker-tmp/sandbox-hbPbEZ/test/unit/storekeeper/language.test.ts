import assert from 'node:assert/strict';
import fc from 'fast-check';
import { complexityOf, parseBody, renderBody } from '../../../src/benchmarks/storekeeper/body.ts';
import { parseCalls, renderCalls } from '../../../src/benchmarks/storekeeper/calls.ts';
import { execute } from '../../../src/benchmarks/storekeeper/execute.ts';
import { TaskFault } from '../../../src/benchmarks/taskFault.ts';
import { parsePlan, planOf, renderPlan } from '../../../src/benchmarks/storekeeper/plan.ts';
import { vocabulary, words } from '../../../src/benchmarks/storekeeper/vocabulary.ts';
import { anyBody } from './arbitraries.ts';

const faultOf = (text: string): TaskFault => {
  try {
    execute(parseBody(words(text)));
  } catch (error) {
    if (error instanceof TaskFault) return error;
    throw error;
  }
  assert.fail(`"${text}" was accepted`);
};

describe('storekeeper: language', () => {
  it('has at most 128 words, each once, each a single word', () => {
    assert.ok(vocabulary.length <= 128);
    assert.equal(new Set(vocabulary).size, vocabulary.length);
    for (const word of vocabulary) assert.match(word, /^\S+$/);
    assert.equal(vocabulary[0], '<end>');
  });

  it('reads back what it renders', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const text = renderBody(body);
        assert.deepEqual(parseBody(text), body);
        assert.deepEqual(renderBody(parseBody(text)), text);
        const calls = execute(body);
        assert.deepEqual(parseCalls(words(renderCalls(calls))), calls);
        assert.deepEqual(parsePlan(words(renderPlan(planOf(body)))), planOf(body));
      }),
    );
  });

  it('uses no word that has no token', () => {
    const known = new Set(vocabulary);
    fc.assert(
      fc.property(anyBody, (body) => {
        for (const word of [...renderBody(body), ...words(renderCalls(execute(body)))])
          assert.ok(known.has(word), word);
      }),
    );
  });

  it('carries out a request by hand-made vectors', () => {
    const vectors: [string, string][] = [
      ['MENU increase f3 REQ first add rice 4', 'first increase f3 rice 4'],
      [
        'MENU set f0 get f9 REQ first please put eggs 9 minus 2 second check eggs',
        'first set f0 eggs 7 second get f9 eggs',
      ],
      [
        'MENU decrease f1 clear f2 increase f4 REQ first take milk 9 second empty milk third stock milk same now fourth remove milk twice 4',
        'first decrease f1 milk 9 second clear f2 milk third increase f4 milk 9 fourth decrease f1 milk 8',
      ],
      [
        'MENU double f5 decrease f6 REQ first copy honey second take honey 9 plus 9',
        'first double f5 honey second decrease f6 honey 18',
      ],
    ];
    for (const [body, gold] of vectors) assert.equal(renderCalls(execute(parseBody(words(body)))), gold);
  });

  it('counts what makes a task hard', () => {
    const text =
      'MENU increase f3 get f1 set f2 REQ first add now rice 4 second put rice same third also put beans twice 2';
    assert.deepEqual(complexityOf(parseBody(words(text))), {
      steps: 3,
      menu: 3,
      distractors: 1,
      fillers: 2,
      expressions: 2,
      items: 2,
    });
  });

  const twelve = [
    'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
      .split(' ')
      .map((ordinal) => `${ordinal} count rice`)
      .join(' '),
  ].join(' ');
  const rejected: [string, string, TaskFault['reason'], RegExp][] = [
    ['empty menu', 'MENU REQ first add rice 1', 'schema', /menu is empty/],
    ['no steps', 'MENU increase f1 REQ', 'schema', /no steps/],
    ['concept twice', 'MENU increase f1 increase f2 REQ first add rice 1', 'schema', /increase twice/],
    ['function twice', 'MENU increase f1 get f1 REQ first add rice 1', 'schema', /f1 twice/],
    ['unknown verb', 'MENU increase f1 REQ first increase rice 1', 'schema', /expected a verb, found "increase"/],
    ['tool not on the menu', 'MENU get f1 REQ first add rice 1', 'schema', /needs increase/],
    ['dangling same', 'MENU get f1 set f2 REQ first check rice second put rice same', 'schema', /step 2: "same"/],
    ['value too large', 'MENU set f2 REQ first put rice 10 plus 9', 'schema', /value 19/],
    ['value below zero', 'MENU set f2 REQ first put rice 1 minus 2', 'schema', /value -1/],
    ['underflow', 'MENU decrease f2 REQ first take rice 9 second take rice 1', 'schema', /1 rice wanted, 0 left/],
    ['13 steps', `MENU get f2 REQ ${twelve} twelfth count rice`, 'too-long', /12 steps/],
    ['no MENU', 'REQ first take rice 9', 'unparseable', /MENU/],
    ['no REQ', 'MENU decrease f2 first take rice 9', 'unparseable', /REQ/],
    ['ordinals out of order', 'MENU decrease f2 REQ second take rice 9', 'unparseable', /expected "first"/],
    ['value missing', 'MENU decrease f2 REQ first take rice', 'unparseable', /expected a number, the text ends/],
    ['value too many', 'MENU get f2 REQ first check rice 4', 'unparseable', /expected "second", found "4"/],
    [
      'menu entry without a function',
      'MENU decrease get f1 REQ first check rice',
      'unparseable',
      /expected a function/,
    ],
    ['no item', 'MENU get f1 REQ first check 4', 'unparseable', /expected an item/],
  ];
  for (const [name, text, reason, note] of rejected) {
    it(`rejects: ${name}`, () => {
      const fault = faultOf(text);
      assert.equal(fault.reason, reason);
      assert.match(fault.message, note);
    });
  }

  it('accepts twelve steps', () => {
    assert.equal(execute(parseBody(words(`MENU get f2 REQ ${twelve}`))).length, 12);
  });

  it('reads only whole plans', () => {
    for (const text of [
      '',
      'steps 3',
      'steps 3 tools 4 fillers',
      'tools 3 steps 4 fillers 0',
      'steps 3 tools 4 fillers 0 1',
    ]) {
      assert.throws(() => parsePlan(words(text)), { reason: 'plan' });
    }
  });
});
