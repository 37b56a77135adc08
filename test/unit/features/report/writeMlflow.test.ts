import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeMlflow } from '../../../../src/features/report/node/writeMlflow.ts';
import { fromArray } from '../../../support/report/fromArray.ts';
import { type MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('a run written into MLflow’s file store again', () => {
  const experiment = smallExperiment({ epochs: 1 });
  let store = '';
  let run: MemoryRun;
  before(async () => (run = await runScripted(experiment)));
  beforeEach(async () => (store = await mkdtemp(join(tmpdir(), 'genenv-mlflow-'))));
  afterEach(() => rm(store, { recursive: true }));

  const written = async (state: 'running' | 'finished'): Promise<string> => {
    const manifest = { id: 'r', createdAt: '2026-11-21T09:00:00.000Z', experiment };
    const events = state === 'running' ? run.events.slice(0, -2) : run.events;
    const source = { events: () => fromArray(events), manifest, head: () => Promise.resolve({ state }) };
    return (await writeMlflow(source, 'first', store)).folder;
  };

  it('keeps the names and deletions that people made there, and tells its state and end', async () => {
    const folder = await written('running');
    const [own, whole] = [join(folder, 'meta.yaml'), join(dirname(folder), 'meta.yaml')];
    // As MLflow 3.17 writes both anew.
    const renamed = 'creation_time: 1\nexperiment_id: "1"\nlifecycle_stage: active\nname: mine\n';
    await writeFile(whole, renamed);
    const deleted = (end: string, status: number): string =>
      `deleted_time: 5\nend_time: ${end}\nlifecycle_stage: deleted\nrun_id: ab\nrun_name: good one\nstatus: ${status}\n`;
    await writeFile(own, deleted('null', 1));
    await writeFile(join(folder, 'tags', 'mlflow.runName'), 'good one');
    assert.equal(await written('finished'), folder);
    assert.equal(await readFile(whole, 'utf8'), renamed);
    const end = /^end_time: (\d+)$/m.exec(await readFile(own, 'utf8'))?.[1] ?? '';
    assert.equal(await readFile(own, 'utf8'), deleted(end, 3));
    assert.equal(await readFile(join(folder, 'tags', 'mlflow.runName'), 'utf8'), 'good one');
  });

  it('writes to the trash if the experiment was deleted', async () => {
    const folder = await written('running');
    const trash = join(store, '.trash');
    await mkdir(trash);
    const moved = join(trash, basename(dirname(folder)));
    await rename(dirname(folder), moved);
    assert.equal(await written('finished'), join(moved, basename(folder)));
    await assert.rejects(readFile(join(dirname(folder), 'meta.yaml')));
  });
});
