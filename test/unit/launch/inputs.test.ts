import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { keepInputs, loadInputs, readInputs } from '../../../src/launch/inputs/inputs.ts';
import { leftOutLine, type LeftOutTasks } from '../../../src/shared/leftOutTasks.ts';
import { domainsOf } from '../../../src/shared/experiment/tasks/domains.ts';
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

  it('tell which tasks of a file are left out, and at which lines', async () => {
    const lines = [line(), line({ id: 'two' }), '', line({ id: 'three', status: 'rejected' }), line({ id: 'four' })];
    await writeFile(join(dir, 'mine.jsonl'), lines.join('\n'));
    const told: LeftOutTasks[] = [];
    await loadInputs(experiment, dir, new Map(), (found) => told.push(found));
    const path = join(dir, 'mine.jsonl');
    assert.deepEqual(told.map(leftOutLine), [
      `${path}:2: 1 of 4 tasks can be used. Left out: 2 twice (line 2, line 5); 1 rejected (line 4).`,
    ]);
    const [found] = told;
    assert.deepEqual(
      found?.leftOut.map(({ file, line: at, message }) => [file, at, message]),
      [
        [path, 2, 'It is the same task as line 1, and is left out.'],
        [path, 4, 'This task was rejected by the run that wrote it, and is left out.'],
        [path, 5, 'It is the same task as line 1, and is left out.'],
      ],
    );
  });

  it('name tasks that a domain file gives by their place in its seeds', async () => {
    const file = join(dir, 'mine.domain.ts');
    const ids = ['one', 'two'];
    const given = ids.map((id, i) => ({
      place: { file, line: 7, column: 1 },
      name: `seed task ${i + 1} (base.${id})`,
    }));
    const own = smallExperiment({ domain: { name: 'file', file: 'mine.domain.ts' } });
    const [name] = domainsOf(own).map((part) => part.name);
    const load = (lines: readonly string[]): Promise<LeftOutTasks[]> => {
      const told: LeftOutTasks[] = [];
      const base = { text: `${lines.join('\n')}\n`, given, leftOut: [] };
      return loadInputs(own, dir, new Map([[name ?? '', { base, heldOut: null }]]), (found) => told.push(found)).then(
        () => told,
      );
    };
    const [twice] = await load([line(), line({ id: 'two' })]);
    assert.deepEqual(
      twice?.leftOut.map(({ file: at, line: row, message }) => [at, row, message]),
      [[file, 7, 'Seed task 2 (base.two): It is the same task as seed task 1 (base.one), and is left out.']],
    );
    const wrong = line({ id: 'two', prompt: [{ role: 'user', content: 'say' }], gold: 'first get f0 rice' });
    await assert.rejects(load([line(), wrong]), (error) => {
      assert.ok(error instanceof InputError);
      const [problem] = error.problems;
      assert.deepEqual([problem?.file, problem?.line], [file, 7]);
      assert.match(problem?.message ?? '', /^Seed task 2 \(base\.two\): /);
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
