import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { InputError } from '../../../src/launch/inputError.ts';
import { keepInputs, loadInputs, readInputs } from '../../../src/launch/inputs.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

describe('inputs of a run', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-inputs-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const experiment = smallExperiment({ domain: { seeds: 'mine.jsonl' } });
  const line = (over: object = {}): string => {
    const [task] = new StorekeeperDomain({ baseTasks: 1 }).seeds('base');
    assert.ok(task);
    const { prompt, evaluation, gold } = task;
    return JSON.stringify({ id: 'one', prompt, evaluation, gold, ...over });
  };

  it('are copied into the run and read from there', async () => {
    await writeFile(join(dir, 'mine.jsonl'), `${line()}\n`);
    const run = join(dir, 'run');
    await keepInputs(run, await loadInputs(experiment, dir));
    await rm(join(dir, 'mine.jsonl'));
    const { seeds, offline } = await readInputs(run, experiment);
    assert.deepEqual(
      seeds?.map(({ id }) => id),
      ['base.one'],
    );
    assert.equal(offline, null);
  });

  it('name file, line, field and remedy of a task whose gold is not what its steps give', async () => {
    await writeFile(join(dir, 'mine.jsonl'), `\n${line({ gold: 'first get f0 rice' })}\n`);
    await assert.rejects(loadInputs(experiment, dir), (error) => {
      assert.ok(error instanceof InputError);
      assert.deepEqual([error.problems[0]?.line, error.problems[0]?.field], [2, 'gold']);
      assert.match(error.message, /mine\.jsonl:2: .+ Correct the task/);
      return true;
    });
  });

  it('refuse games of many turns, which the built-in domain does not play', async () => {
    const game: unknown = JSON.parse(
      await readFile(new URL('../../support/alfworld/potato.tw-pddl', import.meta.url), 'utf8'),
    );
    const evaluation = { kind: 'alfworld', admissible: false, game };
    await writeFile(join(dir, 'mine.jsonl'), `${line({ evaluation, gold: null })}\n`);
    await assert.rejects(loadInputs(smallExperiment({ mode: 'offline', domain: { seeds: 'mine.jsonl' } }), dir), {
      ...{ name: 'InputError', message: /games of many turns.+genenv evaluate/ },
    });
  });

  it('say which field names a file that is not there', async () => {
    await assert.rejects(
      loadInputs(experiment, dir),
      (error) => error instanceof InputError && error.problems[0]?.field === 'domain.seeds',
    );
  });
});
