import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import * as z from 'zod';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import type { GenEnvApi } from '../../../src/extension.ts';
import { Catalog } from '../../../src/host/runs/catalog.ts';
import { RunFolders } from '../../../src/host/runs/runFolders.ts';
import type { ActiveRun, RunDir } from '../../../src/host/runs/runs.ts';
import { Service } from '../../../src/host/runs/service.ts';
import { applyEvent, emptyState } from '../../../src/engine/state.ts';
import { withoutFamilies } from '../../../src/runs/facts/runFacts.ts';
import { eventSchema, type JournalEvent } from '../../../src/shared/journal/events.ts';
import { cli, dist } from '../../support/built.ts';
import { api, experimentFile, landing, next, shown, workspaceFolder } from '../../support/host/api.ts';
import { driver } from '../driver.ts';
import { all } from '../../support/runs/tempRuns.ts';

const listSchema = z.object({ runs: z.array(z.object({ id: z.string(), state: z.string() })) });
/** More epochs than a test waits for. */
const long = { epochs: 500 };

const lines = async (dir: RunDir, name: string): Promise<string[]> =>
  (await readFile(join(dir, name), 'utf8')).trimEnd().split('\n');

/** Its reason, which a bundle and a test do not share the class of. */
const reason = (wanted: string) => (error: unknown) =>
  error instanceof Error && 'reason' in error && error.reason === wanted;

describe('runs of a window', () => {
  let parts: GenEnvApi;
  /** A finished run, for tests that only read one. */
  let finished: RunDir;

  before(async () => {
    parts = await api();
  });

  after(async () => {
    for (const dir of parts.service.active.keys()) await parts.service.stop(dir);
  });

  const start = async (name: string, settings = {}): Promise<RunDir> =>
    parts.service.start(await experimentFile(name, settings));
  /** A long run that has finished an epoch. */
  const underWay = async (name: string): Promise<RunDir> => {
    const dir = await start(name, long);
    await next(parts.service.onDidProgress, (run) => run.dir === dir && run.state.summaries.length > 0);
    return dir;
  };

  it('starts one from a file and shows it until it is finished', async () => {
    const dir = await start('whole');
    const ended = landing(parts, dir);
    assert.equal(parts.service.active.get(dir)?.experiment.name, 'whole');
    await shown(parts, dir, ({ writer, head }) => writer === 'here' && head.state === 'running');
    assert.equal((await ended).landing.state, 'finished');
    assert.equal(parts.service.active.has(dir), false);
    const { head, writer } = await shown(parts, dir, (run) => run.head.state === 'finished');
    assert.deepEqual(
      { epoch: head.epoch, summary: head.summary?.epoch, writer },
      { epoch: 2, summary: 2, writer: null },
    );
    finished = dir;
  });

  it('follows a journal: everything once, then what is appended, families from their place', async () => {
    const dir = await start('followed', long);
    const followed = await parts.catalog.follow(dir);
    const first = followed.state;
    let state = first;
    const seen: JournalEvent[] = [];
    followed.onDidAppend((events) => {
      for (const event of events) state = applyEvent(state, withoutFamilies(event));
      seen.push(...events);
      assert.deepEqual(state, followed.state);
    });
    await next(followed.onDidAppend, () => followed.state.summaries.length >= 2);
    await parts.service.stop(dir);
    assert.deepEqual(
      seen.map(({ seq }) => seq),
      seen.map((_, i) => (seen[0]?.seq ?? 0) + i),
    );
    const journal = await all(followed.reader.events());
    assert.deepEqual(journal.slice(0, first.seq).map(withoutFamilies).reduce(applyEvent, emptyState), first);
    for (const epoch of followed.scoredEpochs) {
      const scored = journal.find((event) => event.type === 'families.scored' && event.epoch === epoch);
      assert.ok(scored?.type === 'families.scored');
      assert.deepEqual(await followed.familiesOf(epoch), scored.families);
    }
    followed.dispose();
  });

  it('pauses at a phase boundary and goes on from there, nothing twice', async () => {
    const dir = await underWay('paused');
    const paused = landing(parts, dir);
    await parts.service.pause(dir, 'boundary');
    assert.equal(parts.service.active.get(dir)?.pausing, 'boundary');
    assert.deepEqual((await paused).landing.state, 'paused');
    await shown(parts, dir, ({ head, writer }) => head.state === 'paused' && writer === null);
    await parts.service.resume(dir);
    const before = parts.service.active.get(dir)?.state.summaries.length ?? 0;
    await next(parts.service.onDidProgress, (run) => run.dir === dir && run.state.summaries.length > before);
    await parts.service.stop(dir);
    const events = (await lines(dir, 'journal.jsonl')).map((line) => eventSchema.parse(JSON.parse(line)));
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, i) => i),
    );
  });

  it('tells progress within a phase, and pauses at once', async () => {
    const dir = await start('at-once', long);
    const inside = ({ phases }: ActiveRun): boolean => phases.some(({ done, total }) => done > 0 && done < total);
    await next(parts.service.onDidProgress, (run) => run.dir === dir && inside(run));
    const ended = landing(parts, dir);
    await parts.service.pause(dir, 'now');
    assert.equal((await ended).landing.state, 'paused');
  });

  it('stops one that is running, and one that is paused', async () => {
    const dir = await underWay('stopped');
    await parts.service.stop(dir);
    assert.equal((await shown(parts, dir, ({ writer }) => writer === null)).head.state, 'stopped');
    await parts.service.resume(dir);
    const ended = landing(parts, dir);
    await parts.service.pause(dir, 'now');
    await ended;
    await parts.service.stop(dir);
    await shown(parts, dir, ({ head }) => head.state === 'stopped');
  });

  it('changes settings of one that is running, for everyone who follows it', async () => {
    const dir = await underWay('changed');
    const followed = await parts.catalog.follow(dir);
    await parts.service.change(dir, ['curriculum.alpha=0.4']);
    await next(followed.onDidAppend, (events) => events.some(({ type }) => type === 'settings.changed'));
    assert.equal(followed.experiment.curriculum.alpha, 0.4);
    await assert.rejects(parts.service.change(dir, ['curriculum.alpha=7']), reason('invalid'));
    await assert.rejects(parts.service.change(dir, ['seed=7']), reason('fixed'));
    followed.dispose();
    await parts.service.stop(dir);
  });

  it('branches one: the branch shares its epochs, waits as paused, and goes on by itself', async () => {
    const { experiment } = await experimentFile('branched', { epochs: 3 });
    const dir = await parts.service.branch(finished, 1, {
      experiment: { ...experiment, name: 'branched' },
      named: [],
    });
    // While it is being made it has a writer, and a list may see it so.
    const { head } = await shown(parts, dir, ({ writer }) => writer === null);
    assert.deepEqual({ state: head.state, epoch: head.epoch }, { state: 'paused', epoch: 1 });
    await parts.service.resume(dir);
    assert.equal((await landing(parts, dir)).landing.state, 'finished');
    const shared = (await lines(dir, 'journal.jsonl')).filter((line) => line.includes('"epoch":1'));
    assert.deepEqual(
      shared,
      (await lines(finished, 'journal.jsonl')).filter((line) => line.includes('"epoch":1')),
    );
  });

  it('refuses to resume or stop a finished one, and to pause one that nobody writes', async () => {
    await assert.rejects(parts.service.resume(finished), reason('finished'));
    await assert.rejects(parts.service.stop(finished), reason('finished'));
    await assert.rejects(parts.service.pause(finished, 'boundary'), reason('idle'));
  });

  it('leaves nothing behind when an experiment’s files cannot be read', async () => {
    const before = parts.catalog.runs.length;
    const { experiment, file } = await experimentFile('seedless');
    const lost = { ...experiment, domain: { ...experiment.domain, seeds: 'nowhere.jsonl' } };
    await assert.rejects(parts.service.start({ experiment: lost, file }), reason('bad-input'));
    await parts.catalog.refresh();
    assert.equal(parts.catalog.runs.length, before);
  });

  it('tells of one that failed, why, and what may be done', async () => {
    const dir = await underWay('failing');
    const paused = landing(parts, dir);
    await parts.service.pause(dir, 'boundary');
    await paused;
    const checkpoints = join(dir, 'checkpoints');
    for (const name of await readdir(checkpoints)) await truncate(join(checkpoints, name), 100);
    // The list of notifications shows a few of them.
    await vscode.commands.executeCommand('notifications.clearAll');
    const failed = landing(parts, dir);
    await parts.service.resume(dir);
    assert.equal((await failed).landing.state, 'failed');
    assert.match(await driver.message('“failing” failed'), /after \d+ of 500 epochs: .*\. Finished work is kept\./);
    await shown(parts, dir, ({ head }) => head.state === 'failed');
  });

  it('removes one that nobody writes, and lets go of those who follow it', async () => {
    const dir = await underWay('removed');
    await assert.rejects(parts.service.remove(dir), reason('in-use'));
    await parts.service.stop(dir);
    const followed = await parts.catalog.follow(dir);
    const gone = next(parts.catalog.onDidChangeList, () => parts.catalog.get(dir) === undefined);
    // Where there is no trash it says so, and touches nothing.
    try {
      await parts.service.remove(dir);
    } catch (error) {
      assert.ok(reason('no-trash')(error), String(error));
      assert.ok(existsSync(join(dir, 'run.json')));
      await parts.service.remove(dir, 'for-good');
    }
    await gone;
    assert.equal(existsSync(dir), false);
    followed.dispose();
  });
});

describe('two windows on one folder', () => {
  it('see the same runs; only one of them writes', async () => {
    const parts = await api();
    const clock = { now: () => Date.now() };
    const keys = environmentKeys({});
    const log = vscode.window.createOutputChannel('Another window', { log: true });
    const folders = new RunFolders({ clock, log, version: 'test' });
    const catalog = new Catalog(folders, clock, (error) => assert.fail(String(error)));
    const service = new Service({
      folders,
      catalog,
      queue: parts.queue,
      dist,
      clock,
      keys,
      log,
    });
    const other = { catalog, service };
    try {
      await catalog.ready;
      assert.deepEqual(
        catalog.runs.map(({ dir }) => dir),
        parts.catalog.runs.map(({ dir }) => dir),
      );
      const dir = await parts.service.start(await experimentFile('shared', { epochs: 500 }));
      await shown(other, dir, ({ head }) => head.state === 'running' && head.epoch >= 1);
      const followed = await catalog.follow(dir);
      await next(followed.onDidAppend, (events) => events.some(({ type }) => type === 'epoch.finished'));
      await assert.rejects(service.resume(dir), reason('in-use'));
      await parts.service.stop(dir);
      await shown(other, dir, ({ head }) => head.state === 'stopped');
      followed.dispose();
      // A run that has just begun, of which the other window's list does not know.
      const young = await parts.service.start(await experimentFile('young', { epochs: 500 }));
      assert.equal(catalog.get(young), undefined);
      await service.stop(young);
      await shown(other, young, ({ head }) => head.state === 'stopped');
    } finally {
      for (const part of [service, catalog, folders, log]) part.dispose();
    }
  });
});

describe('runs of a terminal', () => {
  let parts: GenEnvApi;
  before(async () => {
    parts = await api();
  });

  it('appear, grow, and pause when this window asks', async () => {
    const { file } = await experimentFile('terminal', { epochs: 500 });
    const root = join(workspaceFolder(), '.genenv', 'runs');
    const child = spawn(process.execPath, [cli, 'run', file.fsPath, '--root', root, '--json']);
    const ended = new Promise((resolve) => child.once('close', resolve));
    const listed = (): RunDir | undefined => parts.catalog.runs.find(({ head }) => head.name === 'terminal')?.dir;
    while (listed() === undefined) await next(parts.catalog.onDidChangeList);
    const dir = listed() ?? '';
    await shown(parts, dir, ({ writer, head }) => writer === 'elsewhere' && head.epoch >= 2);
    const followed = await parts.catalog.follow(dir);
    await next(followed.onDidAppend, (events) => events.some(({ type }) => type === 'epoch.finished'));
    await assert.rejects(parts.service.resume(dir), reason('in-use'));
    await assert.rejects(parts.service.pause(dir, 'now'), reason('elsewhere'));
    await parts.service.pause(dir, 'boundary');
    await shown(parts, dir, ({ writer, head }) => writer === null && head.state === 'paused');
    await ended;
    followed.dispose();
    await parts.service.resume(dir);
    await shown(parts, dir, ({ writer }) => writer === 'here');
    await parts.service.stop(dir);
  });

  it('are noticed to be dead when their process was killed', async () => {
    const name = `killed-${randomUUID().slice(0, 8)}`;
    const { file } = await experimentFile(name, { epochs: 500 });
    const root = join(workspaceFolder(), '.genenv', 'runs');
    const child = spawn(process.execPath, [cli, 'run', file.fsPath, '--root', root, '--json']);
    const listed = (): RunDir | undefined => parts.catalog.runs.find(({ head }) => head.name === name)?.dir;
    while (listed() === undefined) await next(parts.catalog.onDidChangeList);
    const dir = listed() ?? '';
    await shown(parts, dir, ({ writer, head }) => writer === 'elsewhere' && head.epoch >= 1);
    child.kill('SIGKILL');
    await shown(parts, dir, ({ writer, head }) => writer === null && head.state === 'interrupted');
    await parts.service.stop(dir);
  });

  it('may be listed by the command line while this window writes one', async () => {
    const dir = await parts.service.start(await experimentFile('here', { epochs: 500 }));
    await shown(parts, dir, ({ writer }) => writer === 'here');
    const root = join(workspaceFolder(), '.genenv', 'runs');
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'list', '--root', root, '--json']);
    const listed = listSchema.parse(JSON.parse(stdout));
    assert.equal(listed.runs.find(({ id }) => dir.endsWith(id))?.state, 'running');
    await parts.service.stop(dir);
  });
});
