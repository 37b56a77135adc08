import assert from 'node:assert/strict';
import { outcomesOf } from '../../../src/benchmarks/evaluate/outcome.ts';
import { paperFigures } from '../../../src/benchmarks/evaluate/paperFigures.ts';
import { scoreTable } from '../../../src/benchmarks/evaluate/scoreTable.ts';
import { totalsOf } from '../../../src/benchmarks/evaluate/totals.ts';
import type { Verdict } from '../../../src/shared/records/trace.ts';

const answer = (task: string, family: string, over: Partial<Verdict> & { success: boolean }, index = 0) => ({
  ...{ id: `v0/${task}/r${index}`, task, family },
  verdict: { reward: Number(over.success), valid: true, ...over },
});

describe('score tables', () => {
  it('count what was judged, each attempt once, and leave out what could not be', () => {
    const outcomes = outcomesOf([
      answer('a', 'x', { success: true, parts: { em: 1 } }),
      answer('a', 'x', { success: false }),
      answer('a', 'x', { success: false }, 1),
      answer('b', 'y', { success: true, error: 'the checker broke' }),
    ]);
    assert.deepEqual(outcomes, [
      { task: 'a', category: 'x', attempts: 2, successes: 1, parts: { em: 1 }, errors: 0 },
      { task: 'b', category: 'y', attempts: 0, successes: 0, parts: {}, errors: 1 },
    ]);
    const { rows, all, parts, errors } = scoreTable(outcomes, 'exact', [1, 2]);
    assert.deepEqual(
      rows.map(({ category, pass }) => [category, ...pass.map(({ value }) => value)]),
      [
        ['x', 0.5, 1],
        ['y', null, null],
      ],
    );
    assert.deepEqual([all.tasks, all.attempts, all.successes, errors, parts], [2, 2, 1, 1, { em: 0.5 }]);
  });

  it('total BFCL as v4 does', () => {
    const rates = (names: string[], from: number) =>
      names.map((category, i) => ({ category, tasks: 10 * (i + 1), rate: from + i / 10 }));
    const simple = rates(['simple_python', 'simple_java', 'simple_javascript'], 0.1);
    const rest = rates(['multiple', 'parallel', 'parallel_multiple'], 0.5);
    const live = rates(['live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple'], 0.2);
    const [nonLive, weighed] = totalsOf('bfcl', [...simple, ...rest, ...live]);
    // Simple: 0.2. Then (0.2 + 0.5 + 0.6 + 0.7)/4.
    assert.ok(Math.abs((nonLive?.value ?? 0) - 0.5) < 1e-12);
    // (10·0.2 + 20·0.3 + 30·0.4 + 40·0.5)/100.
    assert.ok(Math.abs((weighed?.value ?? 0) - 0.4) < 1e-12);
    assert.deepEqual(totalsOf('bfcl', [...simple, ...rest, ...live.slice(1)])[1], {
      ...{ name: 'live', value: null, missing: ['live_simple'] },
    });
    const relevance = rates(['irrelevance', 'live_irrelevance', 'live_relevance'], 0.2);
    assert.deepEqual(totalsOf('bfcl-relevance', relevance), [{ name: 'irrelevance', value: 0.25, missing: [] }]);
    assert.deepEqual(totalsOf('toString', rates(['a'], 0)), []);
  });

  it('total TravelPlanner by constraints, whatever a query sets', () => {
    const plan = (task: string, parts: Record<string, number>, success = false) =>
      answer(task, 'easy', { success, parts });
    const outcomes = outcomesOf([
      plan('a', { delivered: 1, commonsenseKept: 8, commonsenseAll: 1, hardKept: 1, hardSet: 1, hardAll: 1 }, true),
      plan('b', { delivered: 1, commonsenseKept: 4, commonsenseAll: 0, hardKept: 2, hardSet: 4, hardAll: 0 }),
      plan('c', { delivered: 0, commonsenseKept: 0, commonsenseAll: 0, hardKept: 0, hardSet: 1, hardAll: 0 }),
      plan('d', { delivered: 1, commonsenseKept: 8, commonsenseAll: 1, hardKept: 3, hardSet: 4, hardAll: 0 }),
    ]);
    const { totals, parts } = scoreTable(outcomes, 'travelplanner', [1]);
    assert.deepEqual(
      totals.map(({ value }) => value),
      [3 / 4, 20 / 32, 2 / 4, 6 / 10, 1 / 4, 1 / 4, (0.625 + 0.5 + 0.6 + 0.25) / 4],
    );
    assert.deepEqual(parts, {});
    const none = scoreTable([], 'travelplanner', [1]).totals;
    assert.ok(none.every(({ value }) => value === null));
  });

  it('total API-Bank’s calls and responses by level', () => {
    const outcomes = outcomesOf([
      answer('a', 'level-1', { success: true }),
      answer('b', 'level-1', { success: false }),
      answer('c', 'level-2-responses', { success: false, parts: { rougeL: 0.25 } }),
      answer('d', 'level-2-responses', { success: true, parts: { rougeL: 1 } }),
    ]);
    assert.deepEqual(
      scoreTable(outcomes, 'api-bank', [1]).totals.map(({ name, value, missing }) => [name, value, ...missing]),
      [
        ['accuracy of calls, level-1', 0.5],
        ['ROUGE-L of responses, level-1', null, 'level-1-responses'],
        ['accuracy of calls, level-2', null, 'level-2'],
        ['ROUGE-L of responses, level-2', 0.625],
      ],
    );
  });

  it('stand beside twelve models of the paper where it has the benchmark', () => {
    for (const [rule, own] of [
      ['bfcl', 41.8],
      ['toolrl', 79.1],
      ['bamboogle', 76],
    ] as const) {
      const models = Object.values(paperFigures(rule)?.models ?? {});
      assert.equal(models.length, 12);
      assert.equal(models[0], own);
      assert.ok(models.every((value) => value >= 0 && value <= 100));
    }
    assert.equal(paperFigures('exact'), null);
  });
});
