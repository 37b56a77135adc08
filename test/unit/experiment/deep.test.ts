import assert from 'node:assert/strict';
import { readAdapter } from '../../../src/benchmarks/adapter/readAdapter.ts';
import { parseCommandLine } from '../../../src/cli/commandLine.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { isTooDeep, parseSaid } from '../../../src/shared/json.ts';
import { parseTaskFile } from '../../../src/shared/records/taskFile.ts';

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;

describe('JSON that is nested too deeply', () => {
  it('is told from brackets in texts', () => {
    assert.equal(isTooDeep(JSON.stringify(['['.repeat(500), '\\"['.repeat(500)])), false);
    assert.equal(isTooDeep('['.repeat(200)), false);
    assert.equal(isTooDeep('['.repeat(201)), true);
    assert.equal(parseSaid(deep), undefined);
  });

  for (const text of [deep, objects, `{"name": ${deep}}`, `// "\n${deep} // "`]) {
    it(`is a sentence at a line of a file: ${text.slice(0, 12)}…`, () => {
      const parsed = parseExperiment(text, 'x.genenv.json', []);
      assert.match('problems' in parsed ? (parsed.problems[0]?.message ?? '') : '', /nested more than 200 levels deep/);
      assert.match(readAdapter(text, 'x').problems[0]?.message ?? '', /nested more than 200 levels deep/);
      if (text.startsWith('//')) return;
      const tasks = parseTaskFile(`{}\n${text.replace('\n', ' ')}`, 'x.jsonl', 'base');
      assert.ok('problems' in tasks);
      assert.ok(tasks.problems.some(({ line, message }) => line === 2 && /nested more/.test(message)));
    });
  }
});

describe('an argument with a NUL', () => {
  it('is refused by its name', () => {
    assert.throws(() => parseCommandLine(['check', 'a\u0000b']), /has a NUL character/);
  });
});
