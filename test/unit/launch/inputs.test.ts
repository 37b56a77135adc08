import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { keepInputs, loadInputs, readInputs } from '../../../src/launch/inputs/inputs.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

const silent = { info: () => undefined, warn: () => undefined };

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

  it('are what people left of the tasks of a run, where a run’s own record is named', async () => {
    const [one, two, three] = new StorekeeperDomain({ baseTasks: 3 }).seeds('base');
    assert.ok(one !== undefined && two !== undefined && three !== undefined);
    const store = new RunStore(join(dir, 'runs'), { clock: { now: () => 0 }, log: silent, version: 'test' });
    const writer = await store.create({ experiment: smallExperiment({}) });
    const written = [one, two, three].map((task, v) => ({ ...task, id: `e1.f0.v${v}`, origin: 'generated' as const }));
    await writer.appendTasks(written);
    const edits: TaskEdit[] = [
      { action: 'exclude', task: 'e1.f0.v0', reason: 'odd' },
      {
        ...{ action: 'edit', task: 'e1.f0.v1' },
        changes: [
          { field: 'prompt', from: two.prompt, to: one.prompt },
          { field: 'gold', from: two.gold, to: one.gold },
        ],
      },
    ];
    await writer.append({ v: 1, seq: 0, at: 0, type: 'tasks.edited', epoch: 2, author: 'me', edits });
    await writer.close();
    const named = smallExperiment({ domain: { seeds: join(writer.dir, 'tasks.jsonl') } });
    const run = join(dir, 'run');
    await keepInputs(run, await loadInputs(named, dir));
    const { seeds } = await readInputs(run, named);
    assert.deepEqual(
      seeds?.map(({ id, prompt, gold }) => ({ id, prompt, gold })),
      [
        { id: 'base.e1.f0.v1', prompt: one.prompt, gold: one.gold },
        { id: 'base.e1.f0.v2', prompt: three.prompt, gold: three.gold },
      ],
    );
  });

  it('are refused where what is trained on is held out, tasks made elsewhere included', async () => {
    const [leak] = new StorekeeperDomain({ validationTasks: 1 }).seeds('validation');
    assert.ok(leak !== undefined);
    const { prompt, evaluation, gold } = leak;
    await writeFile(join(dir, 'mine.jsonl'), `${line()}\n${line({ id: 'two', prompt, evaluation, gold })}\n`);
    const offline = { mode: 'offline', generation: { offlineFile: 'mine.jsonl' } } as const;
    for (const over of [{ domain: { seeds: 'mine.jsonl' } }, offline]) {
      await assert.rejects(loadInputs(smallExperiment(over), dir), (error) => {
        assert.ok(error instanceof InputError);
        assert.deepEqual(
          error.problems.map(({ line: at }) => at),
          [2],
        );
        assert.match(error.message, /is the held-out task/);
        return true;
      });
    }
  });

  it('say which field names a file that is not there', async () => {
    await assert.rejects(
      loadInputs(experiment, dir),
      (error) => error instanceof InputError && error.problems[0]?.field === 'domain.seeds',
    );
  });
});
