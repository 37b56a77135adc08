import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { findCall } from '../../../src/benchmarks/apiBank/callText.ts';
import { openApiBank } from '../../../src/benchmarks/apiBank/offline.ts';
import { rougeL } from '../../../src/benchmarks/apiBank/rouge.ts';
import { CaseError, OptionError, type ScorerOptions } from '../../../src/benchmarks/offline/offlineScorer.ts';
import { benchmarkFolders } from '../../support/benchmarks/data.ts';
import { disagreements, verdictText } from '../../support/benchmarks/golden.ts';

const options = (...given: string[]): ScorerOptions => ({ has: (option) => given.includes(option), text: () => null });
const golden = (name: string): URL => new URL(`golden/${name}.jsonl`, import.meta.url);

describe('API-Bank', () => {
  it('finds calls in fuzzed texts as the official parser does', async () => {
    assert.deepEqual(await disagreements(golden('parse'), await openApiBank(options('parse'))), []);
  });

  it('takes ROUGE-L of fuzzed texts as the official package does', async () => {
    assert.deepEqual(await disagreements(golden('rouge'), await openApiBank(options('rouge'))), []);
  });

  it('scores fuzzed tool calls as ToolRL does', async () => {
    assert.deepEqual(await disagreements(golden('toolRl'), await openApiBank(options())), []);
  });

  it('reads a call up to the last bracket of its line, the first line that has one', () => {
    assert.equal(findCall('[A(x\n[B()] and [C(y=1)] end')?.text, '[B()] and [C(y=1)]');
    assert.equal(findCall('[A (x)]'), null);
    assert.deepEqual(
      [...(findCall(`[A(a='', b="x', c='y', d=[1, 2] e=[3], f=w g = 5)]`)?.params ?? [])],
      [
        ['a', `', b=`],
        ['c', 'y'],
        ['d', '[1, 2] e=[3]'],
        ['f', 'w'],
        ['g', '5'],
      ],
    );
  });

  it('takes no longer for hostile texts', () => {
    const many = 50_000;
    for (const text of [
      '[a('.repeat(many),
      `[a(${'a='.repeat(many)})]`,
      `[a(${'a=['.repeat(many)})]`,
      `[a(${'a '.repeat(many)})]`,
      '['.repeat(many),
      `[a(${'x'.repeat(many)})]`,
    ]) {
      findCall(text);
    }
    assert.equal(rougeL('a '.repeat(1500), 'b '.repeat(1500)), 0);
  });

  it('counts different words, and a sentence of white space as an empty one', () => {
    assert.equal(rougeL('a b c', 'a b c'), 1);
    assert.equal(rougeL('a a b', 'a b b b'), 1);
    assert.equal(rougeL('a. ', 'a'), 0.6667);
    assert.equal(rougeL('...', 'a'), 0);
    assert.equal(rougeL('a', ''), 0);
  });

  it('refuses what is no case, and switches that exclude one another', async () => {
    const scorer = await openApiBank(options());
    const field = (line: string): string => {
      try {
        void scorer.score(line);
      } catch (error) {
        assert.ok(error instanceof CaseError);
        return error.field;
      }
      return assert.fail('scored');
    };
    assert.equal(field('{"model_text":1,"answer":{}}'), 'model_text');
    assert.equal(field('{"model_text":"","answer":[]}'), 'answer');
    assert.equal(field('{"model_text":"","answer":{"name":"a"}}'), 'answer.parameters');
    assert.equal(field('[1]'), '');
    await assert.rejects(openApiBank(options('parse', 'rouge')), OptionError);
  });

  for (const { name, folder } of benchmarkFolders('api-bank')) {
    it(`gives every record of ToolRL its own answer right: ${name}`, async () => {
      const schema = z.array(z.object({ answer: z.unknown() }));
      for (const level of [1, 2, 3]) {
        const records = schema.parse(
          JSON.parse(readFileSync(join(folder, `toolrl/level-${level}-api_processed.json`), 'utf8')),
        );
        const scorer = await openApiBank(options());
        for (const { answer } of records) {
          const call: unknown = Array.isArray(answer) ? answer[0] : answer;
          const right = `<think>x</think>\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
          const wrong = right.replace('"parameters":{', '"parameters":{"zz":1,').replace(',}', '}');
          for (const [text, score] of [
            [right, 1],
            [wrong, 0],
          ] as const) {
            const verdict = await verdictText(scorer, JSON.stringify({ model_text: text, answer }));
            assert.ok(verdict.endsWith(`"score":${score}}`), verdict);
          }
        }
      }
    });
  }
});
