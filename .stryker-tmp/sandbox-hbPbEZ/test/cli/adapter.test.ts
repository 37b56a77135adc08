import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { sampleAdapter } from '../support/adapters/sampleAdapter.ts';
import { Workspace } from '../support/genenv.ts';

const reportSchema = z.object({
  splits: z.array(z.looseObject({ name: z.string(), records: z.int(), fit: z.int() })),
  problems: z.array(z.looseObject({ line: z.int(), field: z.string() })),
  seeds: z.object({ tasks: z.int(), leftOut: z.int() }).loose(),
});

describe('genenv check-adapter', () => {
  const workspace = new Workspace();
  before(() => {
    workspace.write(
      'city.adapter.json',
      JSON.stringify({ ...sampleAdapter(), data: { ...sampleAdapter().data, folder: '.' } }),
    );
    workspace.write('q.jsonl', '{"question":"a","answer":"1"}\n{"question":"b"}\n');
  });
  after(() => workspace.remove());

  it('names every record that does not fit at its line, and leaves with 2', async () => {
    const { code, out, err } = await workspace.genenv('check-adapter', 'city.adapter.json');
    assert.deepEqual([code, err], [2, '']);
    assert.match(out, /q\.jsonl:2:1: error: task\.gold: there is nothing at \/record\/answer\./);
    assert.match(out, /^test: 1 of 2 records fit, in 1 file$/m);
  });

  it('writes the tasks that fit, and tells programs what it found', async () => {
    const { code, out } = await workspace.genenv(
      'check-adapter',
      'city.adapter.json',
      '--out',
      'seeds.jsonl',
      '--json',
    );
    assert.equal(code, 2);
    const report = reportSchema.parse(JSON.parse(out));
    assert.deepEqual(
      report.splits.map(({ name, records, fit }) => [name, records, fit]),
      [['test', 2, 1]],
    );
    assert.deepEqual([report.problems.map(({ line }) => line), report.seeds.tasks, report.seeds.leftOut], [[2], 1, 1]);
    const task: unknown = JSON.parse(readFileSync(join(workspace.dir, 'seeds.jsonl'), 'utf8'));
    assert.deepEqual(z.looseObject({ id: z.string(), gold: z.string() }).parse(task).gold, '1');
  });

  it('says what is wrong with the adapter, and which folder or split there is not', async () => {
    workspace.write('bad.adapter.json', '{ "version": 1 }');
    const bad = await workspace.genenv('check-adapter', 'bad.adapter.json');
    assert.equal(bad.code, 2);
    assert.match(bad.err, /bad\.adapter\.json:1:1: error: name is missing/);
    const nowhere = await workspace.genenv('check-adapter', 'city.adapter.json', '--data', 'nowhere');
    assert.match(nowhere.err, /There is no folder .*nowhere\. Ask its authors\./);
    const split = await workspace.genenv('check-adapter', 'city.adapter.json', '--split', 'train');
    assert.match(split.err, /no split "train"\. It has test\./);
    assert.deepEqual([nowhere.code, split.code], [2, 2]);
  });
});
