/** The Runs tree of a run some of whose groups count one epoch after their own (`rollouts.late`). */
import assert from 'node:assert/strict';
import { notedTasks, notesOn } from '../../../../src/host/trees/runs/noteCounts.ts';
import { countedIn } from '../../../../src/shared/journal/counted.ts';
import { contentsOf, ofKind, withTree, type Recorded, type Tree } from '../../../support/host/runsTree.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { drawnAgain, lateExperiment } from '../../../support/scripted/lateExperiment.ts';

const withLate = (
  experiment: ReturnType<typeof drawnAgain>,
  test: (tree: Tree, run: Recorded & { dir: string }) => Promise<void>,
) =>
  withTree(async (tree) => {
    const { id, dir } = await finishedRun(tree.runs.store(), experiment);
    await tree.catalog.look();
    await test(tree, { dir, ...(await contentsOf(tree.runs, id)) });
  });

describe('runs tree: late groups', () => {
  for (const [name, experiment] of [
    ['written tasks', lateExperiment()],
    ['tasks that are drawn again meanwhile', drawnAgain()],
  ] as const) {
    it(`stand in the epoch in which they count: ${name}`, () =>
      withLate(experiment, async ({ model }, { dir, scored, traces }) => {
        const { late } = (await model.open(dir)).followed.state;
        for (const { epoch, families } of scored) {
          for (const score of families.flatMap(({ tasks }) => tasks)) {
            const node = await model.locate({ run: dir, epoch, task: score.id });
            assert.ok(node?.kind === 'task' && node.epoch === epoch, `${score.id} in epoch ${epoch}`);
            const below = ofKind(await model.children(node), 'trace');
            assert.equal(below.length, score.attempts);
            assert.equal(below.filter(({ record }) => record.verdict.success).length, score.successes);
          }
        }
        let moved = 0;
        for (const trace of traces.filter(({ purpose }) => purpose === 'train')) {
          const node = await model.locate({ run: dir, trace: trace.id });
          assert.equal(node?.kind === 'trace' ? node.epoch : null, countedIn(late, trace), trace.id);
          moved += Number(countedIn(late, trace) !== trace.epoch);
        }
        assert.ok(moved > 0);
      }));
  }

  it('have their notes there', async () => {
    const late = new Map([[2, ['e2.f1.v0']]]);
    const counts = new Map([
      ['e2/e2.f1.v0/r1', 2],
      ['e2/e2.f0.v0/r0', 1],
      ['e3/e2.f1.v0/r0', 1],
    ]);
    const notes = { counts: () => Promise.resolve(counts), onDidChange: () => ({ dispose: () => undefined }) };
    const at = (epoch: number, task: string) => notesOn(notes, { run: '/run', epoch, task }, late);
    assert.deepEqual([await at(2, 'e2.f1.v0'), await at(3, 'e2.f1.v0'), await at(2, 'e2.f0.v0')], [0, 3, 1]);
    const noted = (epoch: number) => notedTasks(notes, { run: '/run', epoch }, late);
    assert.deepEqual([...(await noted(2))], ['e2.f0.v0']);
    assert.deepEqual([...(await noted(3))], ['e2.f1.v0']);
  });
});
