import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inboxChanges, pausesIn, watchForPause } from '../../../src/launch/inboxPorts.ts';
import { experimentAt, experimentNow } from '../../../src/runs/journal/experimentNow.ts';
import { ChangeError, experimentNext, requestChange } from '../../../src/runs/journal/requestChange.ts';
import type { RunStore } from '../../../src/runs/store/runStore.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';

async function freshRun(store: RunStore) {
  const writer = await store.create({ experiment: smallExperiment() });
  await writer.close();
  return store.openReader(writer.id);
}

const reasonOf = async (asking: Promise<unknown>): Promise<[string, string]> => {
  try {
    await asking;
  } catch (error) {
    if (ChangeError.is(error)) return [error.reason, error.field];
    throw error;
  }
  throw new Error('Nothing was refused.');
};

describe('runs: changes asked of a run', () => {
  it('are checked, wait in the inbox, and are read back on top of each other', () =>
    withTempRuns(async (runs) => {
      const reader = await freshRun(runs.store());
      const first = await requestChange(reader, ['curriculum.alpha=0.4', 'rollouts.group=6'], 'ada');
      assert.deepEqual(first, [
        { field: 'curriculum.alpha', to: 0.4 },
        { field: 'rollouts.group', to: 6 },
      ]);
      runs.now += 1;
      assert.deepEqual(await requestChange(reader, ['curriculum.alpha=0.3'], 'bo'), [
        { field: 'curriculum.alpha', to: 0.3 },
      ]);
      assert.deepEqual(await requestChange(reader, ['curriculum.alpha=0.3'], 'bo'), [], 'nothing left to change');
      const next = await experimentNext(reader);
      assert.deepEqual([next.curriculum.alpha, next.rollouts.group], [0.3, 6]);

      const port = inboxChanges(reader.inbox);
      const [one, two] = await port.waiting();
      assert.deepEqual([one?.author, two?.author], ['ada', 'bo']);
      await port.taken(one?.id ?? '', ['curriculum.alpha']);
      assert.deepEqual(
        (await port.waiting()).map(({ changes }) => changes.map(({ field }) => field)),
        [['rollouts.group'], ['curriculum.alpha']],
      );
      for (const { id, changes } of await port.waiting())
        await port.taken(
          id,
          changes.map(({ field }) => field),
        );
      assert.deepEqual(await readdir(join(reader.dir, 'inbox')), []);
      await reader.close();
    }));

  it('are refused by field when they do not fit, are fixed, or the run is finished', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const reader = await freshRun(store);
      assert.deepEqual(await reasonOf(requestChange(reader, ['curriculum.alpha=7'], 'ada')), [
        'invalid',
        'curriculum.alpha',
      ]);
      assert.deepEqual(await reasonOf(requestChange(reader, ['seed=2'], 'ada')), ['fixed', 'seed']);
      assert.deepEqual(await reader.inbox.waiting(), []);
      await reader.close();
      runs.now += 1000;
      const done = await finishedRun(store, smallExperiment({ epochs: 1 }));
      const finished = await store.openReader(done.id);
      assert.deepEqual(await reasonOf(requestChange(finished, ['curriculum.alpha=0.4'], 'ada')), ['finished', '']);
      await finished.close();
    }));

  it('a damaged request is told once and left alone', () =>
    withTempRuns(async (runs) => {
      const reader = await freshRun(runs.store());
      await requestChange(reader, ['curriculum.alpha=0.4'], 'ada');
      await writeFile(join(reader.dir, 'inbox', '000-bad.json'), '{"v":1,');
      assert.equal((await reader.inbox.waiting()).length, 1);
      assert.equal((await reader.inbox.waiting()).length, 1);
      assert.equal(runs.told.filter((line) => line.includes('000-bad.json')).length, 1);
      await reader.close();
    }));

  it('a pause is seen by the writer; one left from before it went on is not', () =>
    withTempRuns(async (runs) => {
      const reader = await freshRun(runs.store());
      const log = { info: () => undefined, warn: () => undefined };
      await reader.inbox.post({ type: 'pause', author: 'old' });
      const watch = await watchForPause(reader.inbox, log, await pausesIn(reader.inbox));
      assert.deepEqual(await reader.inbox.waiting(), []);
      assert.equal(watch.signal.aborted, false);
      await reader.inbox.post({ type: 'pause', author: 'ada' });
      await new Promise((seen) => watch.signal.addEventListener('abort', seen));
      assert.equal(watch.author(), 'ada');
      await watch.stop();
      assert.deepEqual(await reader.inbox.waiting(), []);
      await reader.close();
    }));
});

describe('runs: the settings a run works with', () => {
  const change = (epoch: number, field: string, to: unknown) => ({ epoch, field, to });
  const experiment = smallExperiment();
  const state = { changes: [change(2, 'curriculum.alpha', 0.4), change(4, 'curriculum.beta', 9)] };

  it('are its own and what was changed since; a branch already holds what its parent changed', () => {
    const now = experimentNow({ experiment, parent: null }, state);
    assert.deepEqual([now.curriculum.alpha, now.curriculum.beta], [0.4, 9]);
    const branch = experimentNow({ experiment, parent: { run: 'r', epoch: 3 } }, state);
    assert.deepEqual([branch.curriculum.alpha, branch.curriculum.beta], [0.5, 9]);
  });

  it('at an epoch are those a branch from there starts with', async () => {
    async function* events() {
      await Promise.resolve();
      for (const { epoch, field, to } of state.changes) {
        const head = { v: 1 as const, seq: epoch, at: 0, author: 'ada', epoch };
        yield { ...head, type: 'settings.changed' as const, changes: [{ field, from: null, to }] };
      }
    }
    const at = await experimentAt({ experiment, parent: null }, events(), 3);
    assert.deepEqual([at.curriculum.alpha, at.curriculum.beta], [0.4, experiment.curriculum.beta]);
  });
});
