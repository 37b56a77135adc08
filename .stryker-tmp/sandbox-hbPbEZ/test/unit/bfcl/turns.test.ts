import assert from 'node:assert/strict';
import fc from 'fast-check';
import { executableCalls } from '../../../src/benchmarks/bfcl/multiTurn/executable.ts';
import { officialTurns, turnsEpisode, TurnsScorer } from '../../../src/benchmarks/bfcl/multiTurn/turnsTask.ts';
import { stepLimit, stepsOf } from '../../../src/benchmarks/bfcl/multiTurn/turnsSpec.ts';
import type { Message } from '../../../src/shared/records/message.ts';

const said = (...texts: string[]): Message[] => texts.map((content) => ({ role: 'assistant', content }));
const task = {
  evaluation: {
    ...{ kind: 'bfcl-multi-turn', involved: ['MathAPI'], config: '{"MathAPI": {}}' },
    question: [
      [{ role: 'user', content: 'Add.' }],
      [{ role: 'user', content: 'Thanks.' }],
      [{ role: 'user', content: 'Again.' }],
    ],
  },
  gold: '[["add(1, b=2.0)"], [], ["mean(numbers=[1, 2])"]]',
};

describe('BFCL conversations, turn by turn', () => {
  it('execute what a text’s calls come to', () => {
    for (const [text, calls] of [
      ["[mv(source='a', destination='b'), ls()]", ["mv(source='a', destination='b')", 'ls()']],
      ['```\nadd(a=5, b=5.0)\n```', ['add(a=5, b=5.0)']],
      // Arguments without a name are lost, a dict of dicts is a call, other dicts stay.
      ["f(1, x={'g': {'y': 1}}, z={'a': 1})", ["f(x=g(y=1), z={'a': 1})"]],
      ['[]', null],
      ['f(x={})', null],
      ['Done.', null],
      ['I call ls() now', null],
      ['', null],
    ] as const) {
      assert.deepEqual(executableCalls(text), calls, text);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const calls = executableCalls(text);
        assert.ok(calls === null || calls.length > 0);
      }),
      { numRuns: 3000 },
    );
  });

  it('end a turn with words, and all of it with one step too many', () => {
    assert.deepEqual(stepsOf(said('f()', 'Done.', 'Hm.', 'g()')), [[['f()']], [], [['g()']]]);
    const many = stepsOf(said(...Array.from({ length: 30 }, () => 'f()')));
    assert.deepEqual([many.length, many[0]?.length], [1, stepLimit + 1]);
    const just = stepsOf(said(...Array.from({ length: stepLimit }, () => 'f()'), 'Done.', 'f()'));
    assert.deepEqual([just.length, just[0]?.length], [2, stepLimit]);
  });

  it('bring the results, then what the person says next', () => {
    const episode = turnsEpisode(task);
    const content = (action: string): [string | undefined, boolean] => {
      const { messages, done } = episode.step(action);
      return [messages[0]?.content, done];
    };
    assert.deepEqual(content('[add(a=1, b=2)]'), [
      `[{'role': 'tool', 'name': 'add(a=1, b=2)', 'content': '{"result": 3}'}]`,
      false,
    ]);
    assert.deepEqual(content('It is 3.'), ['Thanks.', false]);
    assert.deepEqual(content('Welcome.'), ['Again.', false]);
    assert.deepEqual(content('Done.'), [undefined, true]);
    for (let step = 1; step <= stepLimit; step += 1) assert.equal(turnsEpisode(task).step('f()').done, false);
    const endless = turnsEpisode(task);
    const ends = Array.from({ length: stepLimit + 1 }, () => endless.step('f()').done);
    assert.equal(ends.indexOf(true), stepLimit);
  });

  it('are right when said as the truth has it, with names for its arguments', () => {
    const rule = new TurnsScorer();
    assert.equal(rule.fault(task), null);
    const turns = officialTurns(task);
    assert.deepEqual(turns, ['[add(a=1, b=2.0)]', 'Done.', 'Done.', '[mean(numbers=[1, 2])]', 'Done.']);
    const verdict = (...texts: string[]) => rule.score(task, { messages: said(...texts), stopReason: 'stop' });
    assert.deepEqual(verdict(...turns), { success: true, reward: 1, valid: true });
    assert.equal(verdict(...turns.slice(0, 2)).note, 'multi_turn:force_terminated');
    assert.equal(verdict('Done.', ...turns.slice(2)).note, 'multi_turn:empty_turn_model_response');
    assert.equal(verdict('[add(a=1, b=2)]', ...turns.slice(1)).note, 'multi_turn:execution_response_mismatch');
    assert.equal(verdict('No.', 'No.', 'No.').valid, false);
  });

  it('say what a task lacks', () => {
    const rule = new TurnsScorer();
    const fault = (over: object, gold: string | null = task.gold): string | null =>
      rule.fault({ evaluation: { ...task.evaluation, ...over }, gold });
    assert.match(fault({ question: [] }) ?? '', /^evaluation\.question: /);
    assert.match(fault({ involved: ['Oven'] }) ?? '', /^there is no tool Oven/);
    assert.match(fault({ config: '{' }) ?? '', /^evaluation\.config is not JSON/);
    assert.equal(fault({ config: '[]' }), 'evaluation.config is no object');
    assert.equal(fault({}, '[["f()"]]'), 'the gold has another number of turns');
    assert.equal(fault({}, null), 'the gold is no list of turns of calls');
    assert.match(
      rule.score({ evaluation: { kind: 'x' }, gold: null }, { messages: [], stopReason: 'stop' }).error ?? '',
      /question/,
    );
  });
});
