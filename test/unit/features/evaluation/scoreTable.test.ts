import assert from 'node:assert/strict';
import { outcomesOf } from '../../../../src/benchmarks/evaluate/outcome.ts';
import { paperFigures, protocolOf } from '../../../../src/benchmarks/evaluate/paperFigures.ts';
import { scoreTable } from '../../../../src/benchmarks/evaluate/scoreTable.ts';
import { isFault, unofficial } from '../../../../src/benchmarks/evaluate/unofficial.ts';
import type { ScoreDetail } from '../../../../src/benchmarks/evaluate/scoreDetail.ts';
import { totalsOf } from '../../../../src/benchmarks/evaluate/totals.ts';
import type { Verdict } from '../../../../src/shared/records/trace.ts';

const answer = (task: string, family: string, over: Partial<Verdict> & { success: boolean }, index = 0) => ({
  ...{ id: `v0/${task}/r${index}`, task, family },
  verdict: { reward: Number(over.success), valid: true, ...over },
});

/** The results of tasks that were all requested, and all answered except the named ones. */
const asked = (answers: readonly ReturnType<typeof answer>[], unanswered: [string, string][] = [], attempts = 1) => {
  const all = [...answers.map(({ task, family }) => [task, family] as const), ...unanswered];
  const tasks = [...new Map(all)].map(([id, family]) => ({ id, family, evaluation: { kind: '' } }));
  return outcomesOf(answers, { tasks, attempts });
};

describe('score tables', () => {
  it('count every attempt that was asked once, and as wrong what was not answered or not judged', () => {
    const answers = [
      answer('a', 'x', { success: true, parts: { em: 1 } }),
      answer('a', 'x', { success: false }),
      answer('a', 'x', { success: false }, 1),
      answer('b', 'y', { success: true, error: 'the checker broke' }),
    ];
    const outcomes = asked(answers, [['c', 'y']], 2);
    assert.deepEqual(outcomes, [
      { task: 'a', category: 'x', asked: 2, attempts: 2, successes: 1, parts: { em: 1 }, checks: {}, errors: 0 },
      { task: 'b', category: 'y', asked: 2, attempts: 0, successes: 0, parts: {}, checks: {}, errors: 1 },
      { task: 'c', category: 'y', asked: 2, attempts: 0, successes: 0, parts: {}, checks: {}, errors: 0 },
    ]);
    const { rows, all, parts, errors } = scoreTable(outcomes, 'exact', [1, 2]);
    assert.deepEqual(
      rows.map(({ category, pass, answered }) => [category, ...pass.map(({ value }) => value), answered]),
      [
        ['x', 0.5, 1, 0.5],
        ['y', 0, 0, null],
      ],
    );
    assert.deepEqual([all.tasks, all.asked, all.attempts, all.successes, errors], [3, 6, 2, 1, 1]);
    assert.deepEqual(parts, [{ name: 'em', value: 1 / 6, answered: 0.5 }]);
    // Where it has not come to its end, no more was asked than is there.
    const begun = outcomesOf(answers, { tasks: [{ id: 'c', family: 'y', evaluation: { kind: '' } }], attempts: null });
    assert.deepEqual(
      begun.map((one) => [one.task, one.asked]),
      [
        ['a', 2],
        ['b', 1],
      ],
    );
  });

  it('give ten right answers of a whole benchmark the total that its authors would print', () => {
    const categories = {
      ...{ simple_python: 400, simple_java: 100, simple_javascript: 50, multiple: 200, parallel: 200 },
      ...{
        parallel_multiple: 200,
        live_simple: 258,
        live_multiple: 1053,
        live_parallel: 16,
        live_parallel_multiple: 24,
      },
    };
    const tasks = Object.entries(categories).flatMap(([family, count]) =>
      Array.from({ length: count }, (_, i) => ({ id: `${family}_${i}`, family, evaluation: { kind: 'bfcl' } })),
    );
    const answers = Array.from({ length: 10 }, (_, i) =>
      answer(`simple_python_${i}`, 'simple_python', { success: true }),
    );
    const { totals, all } = scoreTable(outcomesOf(answers, { tasks, attempts: 1 }), 'bfcl', [1]);
    const [nonLive, live] = totals;
    assert.ok(Math.abs((nonLive?.value ?? 1) - 10 / 400 / 3 / 4) < 1e-12);
    assert.deepEqual([live?.value, live?.answered], [0, null]);
    assert.deepEqual([all.pass[0]?.value, all.answered], [10 / 2501, 1]);
  });

  it('have no total of the authors for a part of the benchmark, and say why', () => {
    const why = [{ kind: 'sample', tasks: 2, of: 125 } as const];
    const { totals, unofficial } = scoreTable(asked([answer('a', 'test', { success: true })]), 'bamboogle', [1], why);
    assert.deepEqual(totals, [{ name: 'accuracy', value: null, answered: 1, missing: [] }]);
    assert.deepEqual(unofficial, why);
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
    const outcomes = asked([
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
    assert.deepEqual(parts, []);
    const none = scoreTable([], 'travelplanner', [1]).totals;
    assert.ok(none.every(({ value }) => value === null));
  });

  it('total API-Bank’s calls and responses by level', () => {
    const outcomes = asked([
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

  it('count queries of TravelPlanner without a plan in every rate, by level and days too', () => {
    const query = (id: string, family: string, days: number, constraints: Record<string, unknown>) => ({
      ...{ id, family },
      evaluation: {
        ...{ kind: 'travelplanner', days },
        local_constraint: {
          ...{ 'house rule': null, cuisine: null, 'room type': null, transportation: null },
          ...constraints,
        },
      },
    });
    const tasks = [
      query('a', 'easy', 3, {}),
      query('b', 'easy', 5, {}),
      query('c', 'hard', 3, { 'house rule': 'pets', cuisine: ['Thai'], transportation: 'no flight' }),
      query('d', 'medium', 7, { 'room type': 'entire room' }),
    ];
    const parts = { delivered: 1, commonsenseKept: 8, commonsenseAll: 1, hardKept: 1, hardSet: 1, hardAll: 1 };
    const checks = { valid_cost: true, is_not_absent: true, is_valid_restaurants: true };
    const outcomes = outcomesOf([answer('a', 'easy', { success: true, parts, checks })], { tasks, attempts: 1 });
    const { totals, details } = scoreTable(outcomes, 'travelplanner', [1]);
    // Of four queries that set 1 + 1 + 4 + 2 hard constraints one is planned, and keeps all.
    const values = [1 / 4, 8 / 32, 1 / 4, 1 / 8, 1 / 4, 1 / 4];
    assert.deepEqual(
      totals.map(({ value }) => value),
      [...values, (0.25 + 0.25 + 0.125 + 0.25) / 4],
    );
    assert.ok(totals.every(({ answered }) => answered === 1));
    const [rates, kept] = details;
    assert.deepEqual(rates?.columns, [
      'easy',
      'easy, 3 days',
      'easy, 5 days',
      'medium',
      'medium, 7 days',
      'hard',
      'hard, 3 days',
    ]);
    const shares = (table: ScoreDetail | undefined, name: string): string[] =>
      (table?.rows.find((row) => row.name === name)?.cells ?? []).map(({ count, of }) => `${count}/${of}`);
    assert.deepEqual(shares(rates, 'final'), ['1/2', '1/1', '0/1', '0/1', '0/1', '0/1', '0/1']);
    assert.deepEqual(shares(rates, 'hard micro'), ['1/2', '1/1', '0/1', '0/2', '0/2', '0/4', '0/4']);
    assert.deepEqual(shares(kept, 'Budget (hard)'), ['1/2', '1/1', '0/1', '0/1', '0/1', '0/1', '0/1']);
    assert.deepEqual(shares(kept, 'Room Type (hard)'), ['0/0', '0/0', '0/0', '0/1', '0/1', '0/0', '0/0']);
    assert.deepEqual(shares(kept, 'Diverse Restaurants'), ['1/2', '1/1', '0/1', '0/1', '0/1', '0/1', '0/1']);
    assert.deepEqual(shares(kept, 'Within Sandbox').slice(0, 2), ['0/2', '0/1']);
  });

  it('stand beside twelve models of the paper where it measured by the same protocol, and by no other', () => {
    for (const [protocol, own] of [
      ['bfcl-long-context-turns', 41.8],
      ['toolrl', 79.1],
      ['bamboogle-search-judged', 76],
      ['travelplanner', 16.6],
    ] as const) {
      const figures = Object.values(paperFigures(protocol)?.models ?? {});
      assert.equal(figures.length, 12);
      assert.equal(figures[0], own);
      assert.ok(figures.every((value) => value >= 0 && value <= 100));
      assert.equal(paperFigures(protocol)?.differs, null);
    }
    for (const rule of ['bfcl', 'bfcl-relevance', 'bfcl-multi-turn', 'api-bank', 'alfworld', 'bamboogle']) {
      const paper = paperFigures(protocolOf({ rule }));
      assert.equal(paper?.models, null, rule);
      assert.ok(paper.protocol !== '' && paper.differs !== null);
    }
    const judged = paperFigures(protocolOf({ rule: 'bamboogle', judge: { source: 's', version: 'v' } }));
    assert.deepEqual([judged?.models, judged?.differs], [null, 'there is no search']);
    assert.equal(paperFigures('exact'), null);
  });

  it('are the authors’ over the whole of a benchmark alone', () => {
    const settings = { rule: 'bfcl', splits: ['a', 'b'], sample: null, tasks: 3 };
    const split = { name: 'a', fit: 3, expected: 3, missing: [] };
    const data = { v: 1 as const, tasks: 3, splits: [split], problems: 0, example: null };
    const extent = { answered: 2, asked: 3, finished: true };
    assert.deepEqual(unofficial(settings, data, extent), []);
    assert.deepEqual(unofficial({ ...settings, sample: 3 }, data, extent), [], 'all were drawn');
    const kinds = (...args: Parameters<typeof unofficial>): string[] => unofficial(...args).map(({ kind }) => kind);
    assert.deepEqual(kinds({ ...settings, sample: 2, tasks: 2 }, data, extent), ['sample']);
    assert.deepEqual(kinds(settings, data, { ...extent, finished: false }), ['unfinished']);
    assert.deepEqual(kinds(settings, null, extent), ['untold']);
    assert.deepEqual(kinds({ ...settings, rule: 'alfworld' }, data, extent), ['splits']);
    const broken = [
      { ...split, fit: 2 },
      { ...split, name: 'b', missing: ['b.json'] },
      { ...split, expected: null },
    ];
    const damaged = { ...data, splits: broken, problems: 1, example: 'a.json:1: no id' };
    assert.deepEqual(kinds(settings, damaged, extent), ['records', 'files', 'problems', 'size']);
    assert.deepEqual(
      unofficial(settings, damaged, extent).map((one) => isFault(one)),
      [true, true, true, false],
    );
  });
});
