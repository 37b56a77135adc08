import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { placeNow } from '../../../src/runs/lease/processPlace.ts';
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { journalOf } from '../../support/journal.ts';
import { runError } from '../../support/runs/runError.ts';
import { all, experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const script = { successes: 50, attempts: 100 };

async function writeJournal(writer: RunWriter, events = journalOf([script, script])): Promise<void> {
  for (const event of events) await writer.append(event);
}

describe('runs: store', () => {
  it('makes runs with sortable, unique ids and a manifest that says what made them', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const first = await store.create({ experiment });
      const second = await store.create({ experiment });
      assert.equal(first.id, '20261121-121437-embedded-demo');
      assert.equal(second.id, '20261121-121437-embedded-demo-2');
      const manifest: unknown = JSON.parse(await readFile(join(second.dir, 'run.json'), 'utf8'));
      assert.deepEqual(manifest, {
        v: 1,
        id: second.id,
        createdAt: '2026-11-21T12:14:37.000Z',
        experiment,
        versions: { genenv: '0.1.0-test', node: process.versions.node, journal: 1, records: 1, sessions: 1 },
        parent: null,
        ancestors: [],
        servers: [],
        source: null,
        imported: null,
      });
      await first.close();
      await second.close();
    }));

  it('reads a manifest from before a setting existed: the setting has its preset’s value', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment: { ...experiment, seed: 77 } });
      await writer.close();
      const path = join(writer.dir, 'run.json');
      const manifest = z
        .looseObject({ experiment: z.looseObject({ rollouts: z.looseObject({}), endpoints: z.looseObject({}) }) })
        .parse(JSON.parse(await readFile(path, 'utf8')));
      const { minGroup, ...rollouts } = manifest.experiment.rollouts;
      assert.equal(minGroup, null);
      await writeFile(path, JSON.stringify({ ...manifest, experiment: { ...manifest.experiment, rollouts } }));
      const read = await runs.store().openReader(writer.id);
      assert.deepEqual(read.manifest.experiment, { ...experiment, seed: 77 });
      const unknown = { ...manifest.experiment, rollouts: { ...rollouts, invented: 1 } };
      await writeFile(path, JSON.stringify({ ...manifest, experiment: unknown }));
      const { reason, message } = await runError(runs.store().openReader(writer.id));
      assert.equal(reason, 'format');
      assert.match(message, /invented/);
    }));

  it('keeps any name fit for a folder', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      for (const [name, end] of [
        ['../../etc', 'etc'],
        ['…', 'run'],
        ['Áéîöũ, 2', 'aeiou-2'],
        ['x'.repeat(300), 'x'.repeat(40)],
      ] as const) {
        runs.now += 1000;
        const writer = await store.create({ experiment: { ...experiment, name } });
        assert.match(writer.id, new RegExp(`^\\d{8}-\\d{6}-${end}$`));
        await writer.close();
      }
      assert.equal((await store.list()).length, 4);
    }));

  it('lists newest first, with state and epoch from the ends of the files', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const make = async (events: number, how: 'paused' | 'failed' | 'stopped' | 'finished' | null) => {
        runs.now += 60_000;
        const writer = await store.create({ experiment });
        await writer.session({ type: 'started' });
        await writeJournal(writer, journalOf([script, script]).slice(0, events));
        if (how === 'paused' || how === 'failed') await writer.session({ type: how, reason: 'a test' });
        else if (how !== null) await writer.session({ type: how });
        await writer.close();
        return writer.id;
      };
      const whole = journalOf([script, script]).length;
      const finished = await make(whole, 'finished');
      const paused = await make(whole - 3, 'paused');
      const failed = await make(1, 'failed');
      const stopped = await make(2, 'stopped');
      const interrupted = await make(0, null);
      runs.now += 60_000;
      const live = await store.create({ experiment });
      await writeJournal(live, journalOf([script, script]).slice(0, 6));
      const heads = await store.list();
      assert.deepEqual(
        heads.map(({ id, state, epoch, current, epochs }) => ({ id, state, epoch, current, epochs })),
        [
          { id: live.id, state: 'running', epoch: 1, current: 1, epochs: 4 },
          { id: interrupted, state: 'interrupted', epoch: 0, current: 0, epochs: 4 },
          { id: stopped, state: 'stopped', epoch: 0, current: 1, epochs: 4 },
          { id: failed, state: 'failed', epoch: 0, current: 0, epochs: 4 },
          { id: paused, state: 'paused', epoch: 1, current: 2, epochs: 4 },
          { id: finished, state: 'finished', epoch: 2, current: 2, epochs: 4 },
        ],
      );
      assert.deepEqual(
        heads.map(({ summary }) => summary?.epoch ?? null),
        [1, null, null, null, 1, 2],
      );
      const { startedAt, mode, name } = heads[5]!;
      assert.deepEqual(
        { startedAt, mode, name },
        { startedAt: '2026-11-21T12:15:37.000Z', mode: 'coevolve', name: 'Embedded demo' },
      );
      await live.close();
    }));

  it('finds the epoch behind lines far longer than what it reads first', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      const events = journalOf([script, script]);
      const cut = events.findLastIndex(({ type }) => type === 'families.scored') + 1;
      const long = events.slice(0, cut).map((event) =>
        event.type !== 'families.scored'
          ? event
          : {
              ...event,
              families: Array.from({ length: 2000 }, (_, f) => ({
                id: `e1.f${f}`,
                seed: null,
                origin: 'generated' as const,
                plan: '',
                tasks: [],
                successRate: event.successRate,
                estimate: 0.5,
                environmentReward: 1,
                kept: 1,
                weight: 0,
                complexity: {},
              })),
            },
      );
      await writeJournal(writer, long);
      await writer.close();
      assert.equal((await store.list())[0]?.epoch, 1);
    }));

  it('gives one broken folder as a problem, with the file at fault, and every other run', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      await writer.close();
      const breakRun = async (name: string, file: string, text: string) => {
        runs.now += 1000;
        const broken = await store.create({ experiment });
        await broken.close();
        await writeFile(join(broken.dir, file), text);
        await rename(broken.dir, join(runs.root, name));
      };
      await mkdir(join(runs.root, 'empty'));
      await breakRun('foreign', 'run.json', '{"hello":1}');
      await breakRun('half', 'run.json', '{"v":1,"id":"ha');
      await breakRun('newer', 'run.json', '{"v":2}');
      await breakRun('newer-journal', 'journal.jsonl', '{"v":7,"type":"x"}\n');
      await writeFile(join(runs.root, 'notes.txt'), 'not a run');
      const { runs: heads, problems } = await store.scan();
      assert.deepEqual(
        heads.map(({ id }) => id),
        [writer.id],
      );
      assert.deepEqual(
        problems.map(({ id, error }) => [id, error.reason, error.path?.slice(runs.root.length + 1)]),
        [
          ['newer-journal', 'version', 'newer-journal/journal.jsonl'],
          ['newer', 'version', 'newer/run.json'],
          ['half', 'format', 'half/run.json'],
          ['foreign', 'format', 'foreign/run.json'],
          ['empty', 'format', 'empty/run.json'],
        ],
      );
      assert.deepEqual(await store.problems(), problems);
    }));

  it('goes by the name of a folder that was renamed', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      await writer.close();
      await rename(writer.dir, join(runs.root, 'my-favourite'));
      assert.deepEqual(
        (await store.list()).map(({ id }) => id),
        ['my-favourite'],
      );
      assert.equal((await store.openReader('my-fav')).id, 'my-favourite');
    }));

  it('finds a run by the start of its id, and says which were meant', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      await (await store.create({ experiment })).close();
      runs.now += 3_600_000;
      await (await store.create({ experiment: { ...experiment, name: 'Other' } })).close();
      assert.equal(await store.find('20261121-13'), '20261121-131437-other');
      assert.equal(await store.find('20261121-131437-other'), '20261121-131437-other');
      const ambiguous = await runError(store.find('2026'));
      assert.equal(ambiguous.reason, 'ambiguous');
      assert.match(ambiguous.message, /2 runs: 20261121-\d+-embedded-demo, 20261121-\d+-other/);
      const missing = await runError(store.find('20261121-131447-othr'));
      assert.equal(missing.reason, 'not-found');
      assert.match(missing.remedy, /^Did you mean 20261121-131437-other/);
      assert.match((await runError(store.find('demo'))).remedy, /^Did you mean 20261121-121437-embedded-demo/);
      assert.equal((await runError(store.find('../etc'))).reason, 'not-found');
      assert.equal((await runError(store.find(''))).reason, 'not-found');
      const none = await runError(runs.store().openReader('x'));
      assert.equal(none.reason, 'not-found');
    }));

  it('has no runs where there is no folder, and says what a file in its place is', () =>
    withTempRuns(async (runs) => {
      const { RunStore } = await import('../../../src/runs/store/runStore.ts');
      const deps = {
        clock: { now: () => runs.now },
        log: { info: () => undefined, warn: () => undefined },
        version: '1',
      };
      const absent = new RunStore(join(runs.root, 'deep', 'down'), deps);
      assert.deepEqual(await absent.list(), []);
      assert.match((await runError(absent.find('x'))).remedy, /no runs there yet/);
      await (await absent.create({ experiment })).close();
      assert.equal((await absent.list()).length, 1);
      await writeFile(join(runs.root, 'file'), '');
      const file = new RunStore(join(runs.root, 'file'), deps);
      assert.equal((await runError(file.list())).reason, 'unreadable');
      assert.equal((await runError(file.create({ experiment }))).reason, 'unwritable');
    }));

  it('removes a run whole, but not one that is being written', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const writer = await store.create({ experiment });
      assert.equal((await runError(store.remove(writer.id))).reason, 'in-use');
      await writer.close();
      await store.remove(writer.id);
      assert.deepEqual(await readdir(runs.root), []);
      assert.equal((await runError(store.remove(writer.id))).reason, 'not-found');
    }));

  it('leaves nothing behind when a run cannot be made', () =>
    withTempRuns(async (runs) => {
      const { FaultyDisk } = await import('../../support/runs/faultyFiles.ts');
      for (const file of ['run.json', 'lease', 'journal.jsonl', 'traces.jsonl']) {
        const disk = new FaultyDisk();
        disk.refused.set(file, 'ENOSPC');
        const error = await runError(runs.store({ files: disk.files }).create({ experiment }));
        assert.equal(error.reason, 'disk-full', file);
        assert.match(error.message, new RegExp(`${file.replace('.', '\\.')}: cannot write, the disk is full`));
        assert.deepEqual(await readdir(runs.root), [], file);
      }
    }));

  it('makes none where its files are refused, and passes on why', () =>
    withTempRuns(async (runs) => {
      const refused = new RangeError('These files are not those of the study.');
      await assert.rejects(runs.store().create({ experiment, fill: () => Promise.reject(refused) }), refused);
      assert.deepEqual(await readdir(runs.root), []);
    }));

  it('removes what a crash left of a run, but nothing that is being made, whatever the clock says', () =>
    withTempRuns(async (runs) => {
      const leave = async (name: string, over: object | null): Promise<void> => {
        await mkdir(join(runs.root, name));
        const holder = { v: 1, host: hostname(), ...placeNow(), nonce: 'abcdefgh-1', heartbeat: runs.now, ...over };
        if (over !== null) await writeFile(join(runs.root, name, 'lease'), JSON.stringify(holder));
      };
      await leave('.new-1-own', {});
      await leave('.new-2-other-host', { host: 'elsewhere', space: 'pid:[1]' });
      await leave('.new-3-no-lease-yet', null);
      await leave('.new-4-dead', { pid: 2 ** 22 + 1, born: null });
      await leave('.gone-5-removed', null);
      runs.now += 48 * 3_600_000;
      await (await runs.store().create({ experiment })).close();
      assert.deepEqual((await readdir(runs.root)).filter((name) => name.startsWith('.')).toSorted(), [
        '.new-1-own',
        '.new-2-other-host',
        '.new-3-no-lease-yet',
      ]);
    }));

  it('records the experiment as resolved, every field of it', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const paper = resolveExperiment({ version: 1, name: 'p', preset: 'paper', mode: 'random', seed: 3 });
      const writer = await store.create({ experiment: paper });
      await writer.close();
      const reader = await store.openReader(writer.id);
      assert.deepEqual(reader.manifest.experiment, paper);
      assert.deepEqual(await all(reader.events()), []);
      assert.deepEqual(await reader.sessions(), []);
      assert.equal((await reader.head()).mode, 'random');
    }));
});
