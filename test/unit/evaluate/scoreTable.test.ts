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
