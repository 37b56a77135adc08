import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { Workspace } from '../support/genenv.ts';
import { tiny } from '../support/tiny.ts';

const resultSchema = z.object({
  file: z.string(),
  passed: z.boolean(),
  checks: z.array(z.looseObject({ id: z.string(), state: z.string(), findings: z.array(z.looseObject({})) })),
  experiment: z.looseObject({ epochs: z.int() }).nullable(),
  work: z.looseObject({ rollouts: z.object({ run: z.int() }), tokens: z.object({ run: z.int() }) }).nullable(),
});

describe('genenv check', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('goes through everything a run needs, and makes none', async () => {
    workspace.write('good.genenv.json', tiny);
    const { code, out, err } = await workspace.genenv('check', 'good.genenv.json');
    assert.deepEqual([code, err], [0, '']);
    const marks = out.split('\n').filter((line) => line.startsWith('✔'));
    assert.deepEqual(
      marks.map((line) => line.slice(2).split('  ')[0]),
      [
        'Experiment',
        'Task files',
        'Weights',
        'Endpoints',
        'Reward',
        'One task end to end',
        'Tokens, time and cost',
        'Disk space',
      ],
    );
    assert.ok(!existsSync(join(workspace.dir, '.genenv')));
  });

  it('says what is wrong at its line, and leaves with 2', async () => {
    workspace.write('bad.genenv.json', '{\n  "preset": "embedded",\n  "curriculum": { "alpha": 2 }\n}\n');
    const { code, out } = await workspace.genenv('check', 'bad.genenv.json');
    assert.equal(code, 2);
    assert.match(out, /^✘ Experiment/m);
    assert.match(out, /bad\.genenv\.json:3:28: error: α \(curriculum\.alpha\) is 2/);
    assert.match(out, /^– Endpoints +Needs an experiment that can be read\.$/m);
    const missing = await workspace.genenv('check', 'nowhere.genenv.json');
    assert.equal(missing.code, 2);
    assert.match(missing.err, /no such file/);
  });

  it('gives programs the same as JSON, overrides included', async () => {
    workspace.write('good.genenv.json', tiny);
    const { code, out } = await workspace.genenv('check', 'good.genenv.json', '--set', 'epochs=5', '--json');
    assert.equal(code, 0);
    const { passed, checks, experiment, work } = resultSchema.parse(JSON.parse(out));
    assert.equal(passed, true);
    assert.equal(checks.length, 8);
    assert.equal(experiment?.epochs, 5);
    assert.equal(work?.rollouts.run, 5 * 9 * 4);
    const bad = await workspace.genenv('check', 'good.genenv.json', '--set', 'domain.seeds=no.jsonl', '--json');
    assert.equal(bad.code, 2);
    assert.equal(resultSchema.parse(JSON.parse(bad.out)).passed, false);
  });
});
