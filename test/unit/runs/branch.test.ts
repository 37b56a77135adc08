import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { epochSettings } from '../../../src/runs/journal/epochSettings.ts';
import { sharedSpending } from '../../../src/runs/journal/sharedSpending.ts';
import { MemoryRun, smallExperiment } from '../../support/scripted/scriptedRun.ts';
import { runError } from '../../support/runs/runError.ts';
import { finishedRun, runInto } from '../../support/runs/scriptedStore.ts';
import { all, withTempRuns } from '../../support/runs/tempRuns.ts';

const settings = smallExperiment({ epochs: 4, validation: { every: 1 }, generation: { duplicates: 'run' } });
const timeless = (text: string): string => text.replaceAll(/"at":\d+/g, '"at":0');

/** A run whose scripted policies have the weights of another. */
function withWeightsOf({ checkpoints }: MemoryRun): MemoryRun {
  const memory = new MemoryRun();
  for (const role of ['agent', 'environment'] as const) {
    for (const [name, weight] of checkpoints[role]) memory.checkpoints[role].set(name, weight);
  }
  return memory;
}

describe('runs: branch', () => {
  it('from any epoch, run on unchanged, ends as its parent did', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, settings);
      await mkdir(join(parent.dir, 'inputs'));
      await writeFile(join(parent.dir, 'inputs', 'seeds.jsonl'), 'a copy');
      const read = async (dir: string, name: string) => timeless(await readFile(join(dir, name), 'utf8'));
      const reader = await store.openReader(parent.id);
      for (let epoch = 0; epoch <= 4; epoch++) {
        runs.now += 1000;
        const branch = await store.branch(parent.id, epoch, settings);
        assert.deepEqual(branch.manifest.parent, { run: parent.id, epoch });
        assert.deepEqual(branch.recovered, []);
        const events = await all(branch.events());
        const last = events.at(-1);
        assert.ok(epoch === 0 ? last?.type === 'validated' : last?.type === 'epoch.finished' && last.epoch === epoch);
        assert.equal((await branch.head()).epoch, epoch);
        const own = await sharedSpending(events, settings.epochs);
        assert.ok(own.tokens > 0 && own.validated && own.seconds >= 0);
        assert.deepEqual(await sharedSpending(await all(reader.events()), epoch), own, 'what the branch itself counts');
        for (const later of [epoch + 1, epoch + 2]) assert.deepEqual(await branch.tracesOf(later), []);
        if (epoch > 0) assert.ok((await branch.tracesOf(epoch)).length > 0);
        assert.equal(await readFile(join(branch.dir, 'inputs', 'seeds.jsonl'), 'utf8'), 'a copy');
        await runInto(branch, withWeightsOf(parent.run));
        await branch.close();
        for (const name of ['journal.jsonl', 'tasks.jsonl', 'traces.jsonl', 'completions.jsonl']) {
          assert.equal(await read(branch.dir, name), await read(parent.dir, name), `${name} from epoch ${epoch}`);
        }
        for (const name of ['tasks.bin', 'traces.bin', 'completions.bin']) {
          const file = join('index', name);
          assert.deepEqual(await readFile(join(branch.dir, file)), await readFile(join(parent.dir, file)), name);
        }
      }
      await reader.close();
      assert.deepEqual(await store.problems(), []);
    }));

  it('takes its own settings, its own files, and leaves the parent alone', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, settings);
      const files = ['run.json', 'journal.jsonl', 'traces.jsonl', join('checkpoints', 'agent@1')];
      const before = await Promise.all(files.map((file) => readFile(join(parent.dir, file))));
      runs.now += 1000;
      const changed = { ...settings, name: 'bolder', epochs: 6, curriculum: { ...settings.curriculum, beta: 12 } };
      const branch = await store.branch(parent.id, 2, changed);
      assert.match(branch.id, /-bolder$/);
      assert.deepEqual(branch.manifest.experiment, changed);
      assert.equal((await branch.head()).epochs, 6);
      await writeFile(join(branch.dir, 'checkpoints', 'agent@1'), 'overwritten in place');
      await branch.close();
      assert.equal((await store.list())[0]?.state, 'paused');
      assert.deepEqual(await Promise.all(files.map((file) => readFile(join(parent.dir, file)))), before);
      await store.remove(parent.id);
      const reader = await store.openReader(branch.id);
      assert.ok((await reader.tracesOf(2)).length > 0);
      await reader.close();
    }));

  it('asks the servers of its parent’s domain files, of which it has the copies', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, settings);
      const path = join(parent.dir, 'run.json');
      const servers = [{ url: 'https://rooms.example', key: null }];
      const text = await readFile(path, 'utf8');
      assert.match(text, /"servers": \[\]/);
      await writeFile(path, text.replace('"servers": []', `"servers": ${JSON.stringify(servers)}`));
      const branch = await store.branch(parent.id, 2, settings);
      await branch.close();
      assert.deepEqual(branch.manifest.servers, servers);
    }));

  it('knows the settings of shared epochs after the runs before it were removed', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, settings);
      const bolder = (alpha: number) => ({ ...settings, curriculum: { ...settings.curriculum, alpha } });
      runs.now += 1000;
      const middle = await store.branch(parent.id, 1, bolder(0.3));
      await runInto(middle, withWeightsOf(parent.run));
      await middle.close();
      runs.now += 1000;
      const branch = await store.branch(middle.id, 2, bolder(0.7));
      await branch.close();
      await store.remove(parent.id);
      await store.remove(middle.id);
      const reader = await store.openReader(branch.id);
      const settingsOf = await epochSettings(reader);
      assert.deepEqual(
        [1, 2, 3].map((epoch) => settingsOf(epoch).curriculum.alpha),
        [settings.curriculum.alpha, 0.3, 0.7],
      );
      await reader.close();
    }));

  it('of a run whose folder a person named', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, settings);
      const name = `${parent.id} copy`;
      await rename(parent.dir, join(runs.root, name));
      const branch = await store.branch(name, 2, settings);
      await branch.close();
      assert.deepEqual(await store.problems(), []);
      const reader = await store.openReader(branch.id);
      assert.deepEqual(reader.manifest.parent, { run: name, epoch: 2 });
      await reader.close();
    }));

  it('from an epoch without its checkpoints names the epochs that have them', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, settings);
      for (const name of ['agent@2', 'agent@3']) await rm(join(parent.dir, 'checkpoints', name));
      const before = await readdir(runs.root);
      const pruned = await runError(store.branch(parent.id, 2, settings));
      assert.equal(pruned.reason, 'cannot-branch');
      assert.match(pruned.message, /the checkpoints of epoch 2 are no longer kept\. Branch from one of: 0, 1, 4\./);
      for (const epoch of [5, -1, 1.5]) {
        const absent = await runError(store.branch(parent.id, epoch, settings));
        assert.match(absent.message, /epoch \S+ has not finished in this run\. Branch from one of: 0, 1, 4\./);
      }
      assert.deepEqual(await readdir(runs.root), before);
      runs.now += 1000;
      const branch = await store.branch(parent.id, 4, settings);
      assert.deepEqual(
        (await readdir(join(branch.dir, 'checkpoints'))).filter((name) => name.startsWith('agent')),
        ['agent@0', 'agent@1', 'agent@4'],
      );
      await branch.close();
    }));

  it('of a run that has not begun, or of no run, says so', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment: settings });
      const error = await runError(store.branch(writer.id, 0, settings));
      assert.match(error.message, /epoch 0 has not finished in this run\. No epoch of this run can be branched yet\./);
      assert.equal((await runError(store.branch('nobody', 0, settings))).reason, 'not-found');
      await writer.close();
    }));

  it('of a live run takes what has finished', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment: settings });
      await runInto(writer);
      runs.now += 1000;
      const branch = await store.branch(writer.id, 3, settings);
      assert.equal((await branch.head()).epoch, 3);
      await branch.close();
      await writer.close();
    }));
});
