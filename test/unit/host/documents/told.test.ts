import assert from 'node:assert/strict';
import { groupAdvantages } from '../../../../src/engine/math/advantage.ts';
import { computeReward } from '../../../../src/runs/records/rewardComputation.ts';
import { sampledTurns, surprisingWords } from '../../../../src/host/documents/layout/surprise.ts';
import { toolCalls } from '../../../../src/host/documents/layout/toolCalls.ts';
import { toolsOf } from '../../../../src/launch/domains/toolsOf.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';
import type { Learning } from '../../../../src/runs/journal/agentLearning.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

const attempt = (
  number: number,
  reward: number,
  more: { id?: string; purpose?: Trace['purpose']; error?: string; tokens?: number } = {},
): Pick<Trace, 'id' | 'purpose' | 'verdict' | 'sequences'> => ({
  id: more.id ?? `e1/t/r${number}`,
  purpose: more.purpose ?? 'train',
  sequences: [{ tokens: new Array<number>(more.tokens ?? 5).fill(1), spans: [], logprobs: [] }],
  verdict: { success: reward === 1, reward, valid: true, ...(more.error === undefined ? {} : { error: more.error }) },
});

const learning = (
  why: Learning['why'] = null,
  advantageNorm: 'none' | 'group-std' = 'none',
  maxSequence: number | null = null,
): Learning => ({
  experiment: smallExperiment({ agent: { advantageNorm }, rollouts: { maxSequence } }),
  why,
});

describe('documents: a reward’s computation', () => {
  it('is that of training, in both forms', () => {
    const group = [attempt(0, 1), attempt(1, 0), attempt(2, 0.5), attempt(3, 0)];
    for (const norm of ['none', 'group-std'] as const) {
      const trained = groupAdvantages([1, 0, 0.5, 0], norm);
      const shown = group.map((one) => computeReward(one, group, learning(null, norm)));
      const [first] = shown;
      assert.deepEqual(
        shown.map(({ advantage }) => advantage),
        trained,
      );
      assert.equal(first?.group?.mean, 0.375);
      assert.equal(first.group.deviation === null, norm === 'none');
    }
  });

  it('leaves out attempts that the checker could not judge', () => {
    const group = [attempt(0, 1), attempt(1, 0), attempt(2, 0, { error: 'it broke' })];
    assert.equal(computeReward(group[2]!, group, learning()).why, 'not judged');
    assert.equal(computeReward(group[0]!, group, learning()).advantage, 0.5);
  });

  it('says why there is none', () => {
    const why = (...group: ReturnType<typeof attempt>[]) => computeReward(group[0]!, group, learning()).why;
    assert.equal(why(attempt(0, 1)), 'alone');
    assert.equal(why(attempt(0, 1), attempt(1, 1)), 'solved');
    assert.equal(why(attempt(0, 0), attempt(1, 0)), 'hopeless');
    assert.equal(why(attempt(0, 1, { purpose: 'validation' })), 'not trained on');
    // Of people and of re-attempts: nothing is trained on them either.
    for (const id of ['person.a/t/r0', 'before.a/t/r0', 'after.a/t/r0'])
      assert.equal(why(attempt(0, 1, { id }), attempt(1, 0)), 'not trained on');
    const taught = [attempt(0, 1), attempt(1, 0)];
    for (const reason of ['imported', 'frozen', 'fell out', 'not updated', 'skipped'] as const)
      assert.equal(computeReward(taught[0]!, taught, learning(reason)).why, reason);
    assert.equal(computeReward(taught[0]!, taught, learning(null, 'none', 4)).why, 'too long');
    assert.equal(computeReward(taught[0]!, taught, null).why, 'not trained on');
  });
});

describe('documents: surprise', () => {
  it('is told turn by turn, over all sequences', () => {
    const turns = sampledTurns({
      sequences: [
        {
          tokens: [],
          spans: [
            [2, 4],
            [6, 7],
          ],
          logprobs: [-1, -3, -0.5],
        },
        { tokens: [], spans: [[3, 5]], logprobs: [] },
      ],
    });
    assert.deepEqual(turns, [
      { tokens: 2, surprise: { mean: 2, most: 3, nats: [1, 3] } },
      { tokens: 1, surprise: { mean: 0.5, most: 0.5, nats: [0.5] } },
      { tokens: 2, surprise: null },
    ]);
  });

  it('points at the least expected words, where a token is a word', () => {
    const nats = [0.1, 3, 0.8, 0.2, 2, 1, 0];
    const words = surprisingWords('a bb  c d e f', { nats, mean: 1, most: 3 });
    assert.deepEqual(
      words.map(({ start, end, nats: own }) => [start, end, own]),
      [
        [2, 4, 3],
        [10, 11, 2],
        [12, 13, 1],
      ],
    );
    assert.deepEqual(surprisingWords('two words', { nats, mean: 1, most: 3 }), []);
  });
});

describe('documents: tool calls', () => {
  const tool = (name: string) => ({ name, description: '', parameters: {} });

  it('are found as words of their own, with their arguments', () => {
    const text = 'first get_user(id=(1), "x") then get 3, not forget or get_users; get(';
    const calls = toolCalls(text, [tool('get'), tool('get_user')]);
    assert.deepEqual(
      calls.map(({ start, end }) => text.slice(start, end)),
      ['get_user(id=(1), "x")', 'get', 'get'],
    );
  });

  it('may have names that a pattern would take for signs', () => {
    const text = 'call c++.run and c__run';
    const calls = toolCalls(text, [tool('c++.run')]);
    assert.deepEqual(
      calls.map(({ start, end }) => text.slice(start, end)),
      ['c++.run'],
    );
    assert.deepEqual(toolCalls(text, []), []);
  });

  it('have a schema where a task’s menu names them', () => {
    const [task] = new StorekeeperDomain({ baseTasks: 1, validationTasks: 1 }).seeds('base');
    assert.ok(task);
    const tools = toolsOf(task);
    const called = toolCalls(task.gold ?? '', tools);
    assert.ok(called.length > 0);
    assert.ok(tools.every(({ name }) => task.prompt.some(({ content }) => content.includes(` ${name} `))));
    const own = [tool('mine')];
    assert.equal(toolsOf({ ...task, tools: own }), own);
  });
});
