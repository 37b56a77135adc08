/** Views of a run some of whose groups count one epoch after their own (`rollouts.late`). */
import assert from 'node:assert/strict';
import { familySubjects } from '../../../src/features/rewards/host/debug/subjects.ts';
import { shownTask } from '../../../src/features/attempts/host/shownTask.ts';
import { lineageOf } from '../../../src/features/tasks/host/lineage.ts';
import { attemptsIn, readTask } from '../../../src/host/documents/reading.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import type { OpenRun } from '../../../src/host/trees/openRun.ts';
import { OpenRuns } from '../../../src/host/trees/openRuns.ts';
import { countedIn } from '../../../src/shared/journal/counted.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { api, experimentFile, landing, next } from '../../support/host/api.ts';
import { all } from '../../support/runs/tempRuns.ts';

describe('views of late groups', () => {
  let dir: RunDir;
  let open: OpenRuns;
  let run: OpenRun;
  /** A written task whose group was late, and the epoch that attempted it. */
  let late: { task: Task; made: number };

  before(async () => {
    const parts = await api();
    const rollouts = { group: 4, baseShare: 0.25, staleness: 1, late: 0.5 };
    dir = await parts.service.start(await experimentFile('late', { epochs: 3, rollouts }));
    await landing(parts, dir);
    while (parts.catalog.get(dir)?.head.state !== 'finished') await next(parts.catalog.onDidChangeRuns);
    open = new OpenRuns(parts.catalog);
    run = await open.open(dir);
    const { reader, state } = run.followed;
    const tasks = await all(reader.tasks());
    const found = [...state.late].flatMap(([made, ids]) =>
      tasks.filter(({ id, epoch }) => epoch === made && ids.includes(id)).map((task) => ({ task, made })),
    );
    late = found[0] ?? assert.fail('no written task was late');
  });

  after(() => open.dispose());

  it('show the attempts that a p̂ is of', async () => {
    for (const epoch of run.followed.scoredEpochs) {
      for (const { tasks } of await run.families(epoch)) {
        for (const { id, attempts } of tasks) {
          const traces = await attemptsIn(run, { task: id, epoch }, 'train');
          assert.equal(traces.length, attempts, id);
          const shown = new Map((await shownTask(run, id, epoch)).attempts.map((one) => [one.id, one.note]));
          assert.deepEqual(
            shown,
            new Map(traces.map(({ id: of, verdict }) => [of, verdict.error ?? verdict.note ?? null])),
          );
        }
      }
    }
  });

  it('find them for the debugger by the family, and by an attempt', async () => {
    const { task, made } = late;
    const family = { run: dir, family: task.family };
    const [own] = await attemptsIn(run, { task: task.id, epoch: made + 1 }, 'train');
    assert.ok(own !== undefined && own.epoch === made && countedIn(run.followed.state.late, own) === made + 1);
    const subjects = await familySubjects(open, family, true);
    assert.ok(subjects.some(({ name }) => name === own.id));
    const same = await familySubjects(open, { run: dir, trace: own.id }, true);
    assert.deepEqual(
      same.map(({ name }) => name),
      subjects.map(({ name }) => name),
    );
  });

  it('say at the task in which epoch they count', async () => {
    const { task, made } = late;
    for (const at of [made, made + 1]) {
      const { text } = await readTask(run, { run: dir, id: task.id, at });
      assert.match(text, new RegExp(`Late: attempted in epoch ${made}, counted in epoch ${made + 1}`));
      assert.match(text, /R_env/);
    }
  });

  it('tell at its lineage the epoch that weighed it, with its traces in D_train', async () => {
    const { task, made } = late;
    const traces = await attemptsIn(run, { task: task.id, epoch: made }, 'train');
    const valid = traces.filter(({ verdict }) => verdict.valid).length;
    const now = { recorded: task, now: { excluded: null } };
    const stations = await lineageOf(run, now, traces);
    const weighed = stations.filter(({ kind }) => kind === 'weighted');
    assert.deepEqual(
      weighed.map(({ opens }) => opens),
      [{ epoch: made + 1 }],
    );
    assert.match(weighed[0]?.text ?? '', new RegExp(`${valid} traces in D_train`));
  });
});
