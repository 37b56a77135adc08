import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { admittedAttempts } from '../../../src/features/pools/node/admitted.ts';
import { inboxEdits } from '../../../src/launch/inboxPorts.ts';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import { editTasks, overlaysOf } from '../../../src/runs/records/editTasks.ts';
import type { RunReader } from '../../../src/runs/store/runReader.ts';
import type { TaskEdit } from '../../../src/shared/records/taskEdit.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';

const exclude: TaskEdit = { action: 'exclude', task: 'e1.f0.v0', reason: 'wrong gold' };
const clock = { now: () => 7 };

async function stateOf(reader: RunReader) {
  let state = emptyState;
  for await (const event of reader.events()) state = applyEvent(state, event);
  return state;
}

describe('runs: tasks edited by hand', () => {
  it('are journaled where nobody writes the run, from the next epoch on', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      assert.deepEqual(await editTasks(runs.store(), id, { edits: [exclude], author: 'ada', clock }), {
        state: 'journaled',
        epoch: 4,
      });
      const reader = await runs.store().openReader(id);
      const state = await stateOf(reader);
      assert.deepEqual(state.edits, [{ epoch: 4, edit: exclude }]);
      assert.equal((await reader.head()).state, 'finished');
      assert.equal((await overlaysOf(reader, state)).get(exclude.task)?.excluded, 'wrong gold');
      await reader.close();
    }));

  it('name the first epoch that is sampled with them, where epochs are sampled ahead', () =>
    withTempRuns(async (runs) => {
      const settings = smallExperiment();
      const ahead = { ...settings, rollouts: { ...settings.rollouts, staleness: 1 } };
      const { id } = await finishedRun(runs.store(), ahead);
      const admit: TaskEdit = { action: 'admit', task: 'e1.f0.v0', trace: 'p1', written: 1 };
      const made = { edits: [admit], author: 'ada', clock };
      assert.deepEqual(await editTasks(runs.store(), id, made), { state: 'journaled', epoch: 5 });
      const reader = await runs.store().openReader(id);
      assert.deepEqual((await stateOf(reader)).edits, [{ epoch: 4, edit: admit }]);
      assert.equal((await admittedAttempts(reader))[0]?.epoch, 5);
      await reader.close();
    }));

  it('wait for whoever writes the run, and are seen meanwhile', () =>
    withTempRuns(async (runs) => {
      const { id } = await finishedRun(runs.store(), smallExperiment());
      const writer = await runs.store().openWriter(id);
      assert.deepEqual(await editTasks(runs.store(), id, { edits: [exclude], author: 'ada', clock }), {
        state: 'waiting',
      });
      const port = inboxEdits(writer.inbox);
      const [waiting] = await port.waiting();
      assert.deepEqual([waiting?.author, waiting?.edits], ['ada', [exclude]]);
      assert.equal((await overlaysOf(writer, await stateOf(writer))).get(exclude.task)?.excluded, 'wrong gold');
      await port.taken(waiting?.id ?? '');
      assert.deepEqual(await readdir(join(writer.dir, 'inbox')), []);
      await writer.close();
    }));
});
