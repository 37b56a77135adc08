import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import type { MappedTask } from '../../../../src/benchmarks/adapter/mapRecord.ts';
import { checkAdapter } from '../../../../src/launch/adapters/checkAdapter.ts';
import { openRules } from '../../../../src/launch/scoring/openRules.ts';
import { benchmarkFolders } from '../../../support/benchmarks/data.ts';
import { categories } from '../../../support/bfcl/records.ts';

/** The shipped adapters over the benchmarks' own files: folder, split, how many records. */
const shipped: [string, string, Readonly<Record<string, number>>][] = [
  ['bamboogle', 'bamboogle', { test: 125 }],
  ['api-bank', 'api-bank', { 'level-1': 399, 'level-2': 67, 'level-3': 131 }],
  [
    'bfcl',
    'bfcl',
    {
      ...{ simple_python: 400, simple_java: 100, simple_javascript: 50, multiple: 200, parallel: 200 },
      ...{
        parallel_multiple: 200,
        live_simple: 258,
        live_multiple: 1053,
        live_parallel: 16,
        live_parallel_multiple: 24,
      },
    },
  ],
  ['bfcl-relevance', 'bfcl', { irrelevance: 240, live_irrelevance: 884, live_relevance: 16 }],
  [
    'bfcl-multi-turn',
    'bfcl',
    { multi_turn_base: 200, multi_turn_miss_func: 0, multi_turn_miss_param: 0, multi_turn_long_context: 0 },
  ],
  ['bfcl-long-context-turns', 'bfcl', { multi_turn_long_context: 0 }],
  [
    'api-bank-dialogues',
    'api-bank',
    { 'level-1': 399, 'level-2': 135, 'level-1-responses': 375, 'level-2-responses': 103 },
  ],
  ['travelplanner', 'travelplanner', { train: 45, validation: 0 }],
];

/**
 * Truths that their own program finds wrong, by split: their text is read otherwise, needs a network, or names what the
 * function's document does not have.
 */
const unreachable: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'api-bank-dialogues': { 'level-1': 399 - 337, 'level-2': 135 - 80 },
  // Of Java and JavaScript only plain calls are read without the built parser.
  bfcl: { live_multiple: 3, live_simple: 2, simple_java: 25, simple_javascript: 17 },
};

/** The same over small files of our own. */
const smallCounts: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  bamboogle: { test: 4 },
  'api-bank-dialogues': { 'level-1': 8, 'level-2': 7, 'level-1-responses': 6, 'level-2-responses': 5 },
  'bfcl-long-context-turns': { multi_turn_long_context: 0 },
  travelplanner: { train: 5, validation: 0 },
  'api-bank': { 'level-1': 3, 'level-2': 2, 'level-3': 2 },
  bfcl: Object.fromEntries(categories.map((category) => [category, 4])),
  'bfcl-relevance': { irrelevance: 4, live_irrelevance: 4, live_relevance: 4 },
  'bfcl-multi-turn': {
    multi_turn_base: 4,
    multi_turn_long_context: 0,
    multi_turn_miss_func: 0,
    multi_turn_miss_param: 0,
  },
};
const smallUnreachable: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'api-bank-dialogues': { 'level-1': 1, 'level-2': 2 },
  bfcl: { simple_java: 1, simple_javascript: 2 },
};

describe('shipped adapters over the benchmarks', () => {
  for (const [adapter, benchmark, counts] of shipped) {
    for (const { name, folder, isSmall } of benchmarkFolders(benchmark)) {
      it(`${adapter}: every record fits, gold answers succeed, and silence where it is right: ${name}`, async () => {
        const [fit, missed] = isSmall ? [smallCounts[adapter], smallUnreachable] : [counts, unreachable];
        assert.ok(fit !== undefined);
        assert.deepEqual(await missedBy(adapter, folder, fit), missed[adapter] ?? {});
      });
    }
  }
});

/** Golds that their own rule finds wrong, by category. */
async function missedBy(
  name: string,
  folder: string,
  counts: Readonly<Record<string, number>>,
): Promise<Record<string, number>> {
  const file = new URL(`../../../../media/adapters/${name}.adapter.json`, import.meta.url);
  const { adapter } = readAdapter(await readFile(file, 'utf8'), name);
  assert.ok(adapter !== null);
  const tasks: MappedTask[] = [];
  const checking = checkAdapter(adapter, folder, { signal: new AbortController().signal, outside: true });
  for (let next = await checking.next(); ; next = await checking.next()) {
    if (next.done === true) {
      assert.deepEqual(Object.fromEntries(next.value.splits.map((one) => [one.name, one.fit])), counts);
      break;
    }
    assert.ok('task' in next.value, JSON.stringify(next.value));
    tasks.push(next.value.task);
  }
  const rules = await openRules(tasks, null);
  const missed: Record<string, number> = {};
  for (const task of tasks) {
    const said = (content: string): boolean =>
      rules.score(task, { messages: [{ role: 'assistant', content }], stopReason: 'stop' }).success;
    const gold = rules.goldAnswer(task);
    const category = String(task.evaluation['category']);
    if (gold !== null && !said(gold)) missed[category] = (missed[category] ?? 0) + 1;
    assert.equal(said(''), category.includes('irrelevance'), task.id);
  }
  return missed;
}
