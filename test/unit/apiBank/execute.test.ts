import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDialogue, truthsOf } from '../../../src/benchmarks/apiBank/dialogue.ts';
import { CallJudge, type ExecutedCase } from '../../../src/benchmarks/apiBank/execute.ts';
import { openApiBank } from '../../../src/benchmarks/apiBank/offline.ts';
import { tools } from '../../../src/benchmarks/apiBank/tools/allTools.ts';
import { CaseError, OptionError, type ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { benchmarkFolders, smallFiles } from '../../support/benchmarks/data.ts';
import { disagreements } from '../../support/benchmarks/golden.ts';

/** Tables and dialogues of our own; the results of the one with every tool are what the official tools gave. */
const data = smallFiles('api-bank');
const execute = (folder: string | null): ScorerOptions => ({
  has: (option) => option === 'execute',
  text: (option) => (option === 'data' ? folder : null),
});

describe('API-Bank: executed calls', () => {
  it('are judged as the official evaluator judges mutated ones', async () => {
    const file = new URL('golden/execute.jsonl', import.meta.url);
    assert.deepEqual(await disagreements(file, await openApiBank(execute(data))), []);
  });

  it('are tried with every tool that needs no network', () => {
    const file = join(data, 'lv1-lv2-samples/every-tool/AllTools-level-1-1.jsonl');
    const tried = new Set(
      readDialogue(readFileSync(file, 'utf8')).flatMap((turn) => (turn.role === 'API' ? turn.api_name : [])),
    );
    const missing = Array.from(tools.keys()).filter((name) => !tried.has(name));
    assert.deepEqual(missing, ['Dictionary', 'SearchEngine', 'ToolSearcher', 'Translate']);
    assert.equal(tools.size, 53);
  });

  it('count two samples for each API turn, the second for what follows it', () => {
    const turn = (name: string): string => JSON.stringify({ role: 'API', api_name: name, result: {} });
    const said = JSON.stringify({ role: 'AI', text: 'x' });
    const truths = truthsOf(readDialogue([said, turn('a'), turn('b'), said, turn('c')].join('\n')));
    assert.deepEqual(
      truths.map((truth) => (truth?.role === 'API' ? truth.api_name : truth?.role)),
      ['a', 'b', 'b', 'AI', 'c', undefined],
    );
  });

  it('are refused where there is no such sample', async () => {
    const judge = await CallJudge.open(data);
    const one = { folder: 'every-tool', file: 'AllTools-level-1-1.jsonl', sample: 0, text: '[A()]' };
    const field = async (change: Partial<ExecutedCase>): Promise<string> => {
      try {
        await judge.isCorrect({ ...one, ...change });
      } catch (error) {
        assert.ok(error instanceof CaseError);
        assert.equal(error.reason, 'files');
        return error.field;
      }
      return assert.fail('judged');
    };
    assert.equal(await judge.isCorrect(one), false);
    assert.equal(await field({ sample: 1 }), 'sample');
    assert.equal(await field({ sample: 10_000 }), 'sample');
    assert.equal(await field({ file: 'none.jsonl' }), 'file');
    assert.equal(await field({ file: '../x' }), 'file');
    assert.equal(await field({ folder: '..' }), 'level_folder');
    await assert.rejects(
      CallJudge.open(join(data, 'nowhere')),
      (error) => error instanceof OptionError && error.message.includes('Account.json'),
    );
    await assert.rejects(async () => openApiBank(execute(null)), OptionError);
  });

  /** Truths whose own text is found right when it is executed, of all: those of level 1, and those of level 2. */
  async function ownTruths(folder: string): Promise<[right: number, all: number][]> {
    const judge = await CallJudge.open(folder);
    const counts: [right: number, all: number][] = [];
    for (const level of ['level-1-given-desc', 'level-2-toolsearcher']) {
      let [right, all] = [0, 0];
      const files = readdirSync(join(folder, 'lv1-lv2-samples', level));
      for (const file of files) {
        const truths = truthsOf(readDialogue(readFileSync(join(folder, 'lv1-lv2-samples', level, file), 'utf8')));
        for (const [sample, truth] of truths.entries()) {
          if (truth?.role !== 'API') continue;
          const params = Object.entries(truth['param_dict'] ?? {}).map(([key, value]) => `${key}='${value}'`);
          const text = `[${truth.api_name}(${params.join(', ')})]`;
          all += 1;
          if (await judge.isCorrect({ folder: level, file, sample, text })) right += 1;
        }
      }
      counts.push([right, all]);
    }
    return counts;
  }

  for (const { name, folder, isSmall } of benchmarkFolders('api-bank')) {
    it(`give a dialogue's own truths what the official program gives them: ${name}`, async () => {
      // Ours: a quote within a value ends it, and what ToolSearcher finds hangs on a model.
      const [level1, level2] = isSmall ? [[7, 8] as const, [5, 7] as const] : [[337, 399] as const, [80, 135] as const];
      assert.deepEqual(await ownTruths(folder), [level1, level2]);
    });
  }
});
