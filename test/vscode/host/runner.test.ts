/** Runs that go through the queue: started in the editor, executed by a process of its own, steered from here. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { GenEnvApi } from '../../../src/extension.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { cli } from '../../support/built.ts';
import { api, experimentFile, landing, next, shown, workspaceFolder } from '../../support/host/api.ts';
import { runContents } from '../../support/runContents.ts';
import { onlyRun } from '../../support/runContents.ts';
import { until } from '../../support/until.ts';

const holderSchema = z.looseObject({ pid: z.int(), boot: z.string().nullable(), born: z.string().nullable() });

describe('the runner in the editor', function () {
  this.timeout(240_000);
  let parts: GenEnvApi;
  const root = (): string => join(workspaceFolder(), '.genenv', 'runs');
  const lease = (): string => join(root(), '.runner', 'lease');
  const where = (value: string | undefined) =>
    vscode.workspace.getConfiguration('genenv').update('runs.where', value, vscode.ConfigurationTarget.Workspace);
  const holder = async () => holderSchema.parse(JSON.parse(await readFile(lease(), 'utf8')));
  const noRunner = () => until('the runner to end', async () => (await readFile(lease()).catch(() => null)) === null);
  const running = (dir: RunDir) => until('the run to run', () => parts.service.active.has(dir));
  const genenv = (...words: string[]) => promisify(execFile)(process.execPath, [cli, ...words, '--root', root()]);

  before(async () => {
    parts = await api();
    await where('runner');
  });
  afterEach(async () => {
    await genenv('runner', 'stop');
  });
  after(() => where(undefined));

  it('executes a run as the editor would, tells where it is, and how it ended', async () => {
    const request = await experimentFile('queued', { epochs: 40 });
    const dir = await parts.service.start(request);
    const landed = landing(parts, dir);
    await running(dir);
    const run = await next(parts.service.onDidProgress, (one) => one.dir === dir);
    assert.equal(run.experiment.name, 'queued');
    await shown(parts, dir, ({ writer, head }) => writer === 'here' && head.state === 'running');
    assert.notEqual((await holder()).pid, process.pid);
    const { landing: end } = await landed;
    assert.deepEqual([end.state, end.ending], ['finished', 'epochs']);
    await shown(parts, dir, ({ writer, head }) => writer === null && head.state === 'finished');
    await noRunner();
    assert.equal(parts.queue.place(dir), undefined);
    const alone = join(workspaceFolder(), 'alone');
    await promisify(execFile)(process.execPath, [cli, 'run', request.file.fsPath, '--root', alone]);
    const [expected, actual] = await Promise.all([runContents(join(alone, await onlyRun(alone))), runContents(dir)]);
    assert.deepEqual(actual, expected);
  });

  it('pauses a run at once, resumes it, and takes one that waits out of the queue', async () => {
    const one = await parts.service.start(await experimentFile('first', { epochs: 500 }));
    await running(one);
    const other = await parts.service.start(await experimentFile('second', { epochs: 500 }));
    await until('the second to wait', () => parts.queue.place(other)?.wait?.kind === 'endpoint');
    assert.deepEqual([parts.queue.place(one)?.state, parts.queue.place(other)?.position], ['running', 1]);
    await parts.service.pause(other, 'now');
    await until('it to leave', () => parts.queue.place(other) === undefined);
    await parts.service.pause(one, 'now');
    await shown(parts, one, ({ head, writer }) => head.state === 'paused' && writer === null);
    await parts.service.resume(one);
    await running(one);
    await parts.service.stop(one);
    await shown(parts, one, ({ head, writer }) => head.state === 'stopped' && writer === null);
  });

  it('begins another runner where one was killed, and the run ends as an undisturbed one', async () => {
    const request = await experimentFile('runner-killed', { epochs: 60 });
    const dir = await parts.service.start(request);
    await shown(parts, dir, ({ head }) => head.epoch >= 1);
    const [first, landed] = [await holder(), landing(parts, dir)];
    process.kill(first.pid, 'SIGKILL');
    await until('another runner', async () => (await holder()).pid !== first.pid || undefined);
    assert.equal((await landed).landing.state, 'finished');
    const alone = join(workspaceFolder(), 'undisturbed');
    await promisify(execFile)(process.execPath, [cli, 'run', request.file.fsPath, '--root', alone]);
    const [expected, actual] = await Promise.all([runContents(join(alone, await onlyRun(alone))), runContents(dir)]);
    assert.deepEqual(actual, expected);
  });

  it('shows and steers a run where files give no events', async () => {
    const { watch } = fs;
    const files = vscode.workspace.getConfiguration('files');
    const exclude = (value: Record<string, boolean> | undefined) =>
      files.update('watcherExclude', value, vscode.ConfigurationTarget.Workspace);
    await exclude({ '**/.genenv/**': true });
    fs.watch = () => {
      throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
    };
    try {
      // With its folder, the watcher of before is gone.
      await rm(join(root(), '.runner'), { recursive: true, force: true });
      const dir = await parts.service.start(await experimentFile('unwatched', { epochs: 500 }));
      await running(dir);
      await shown(parts, dir, ({ writer, head }) => writer === 'here' && head.state === 'running' && head.epoch >= 2);
      await parts.service.pause(dir, 'now');
      await shown(parts, dir, ({ head, writer }) => head.state === 'paused' && writer === null);
      await noRunner();
      const other = genenv('resume', basename(dir));
      await shown(parts, dir, ({ writer }) => writer === 'elsewhere');
      await parts.service.pause(dir, 'boundary');
      // A run that is not finished gives the command line another code than 0.
      await assert.rejects(other);
      await shown(parts, dir, ({ head, writer }) => head.state === 'paused' && writer === null);
    } finally {
      fs.watch = watch;
      await exclude(undefined);
    }
  });

  it('goes on after a reboot: a lease of another boot, and one whose pid is another process now', async () => {
    const dir = await parts.service.start(await experimentFile('rebooted', { epochs: 500 }));
    await shown(parts, dir, ({ head }) => head.epoch >= 1);
    for (const change of [{ pid: process.pid }, { boot: 'another', heartbeat: Date.now() - 3_600_000 }]) {
      const before = await holder();
      process.kill(before.pid, 'SIGKILL');
      await writeFile(lease(), JSON.stringify({ ...before, ...change }));
      await until('another runner', async () => {
        const now = await holder().catch(() => before);
        return (now.pid !== before.pid && now.pid !== process.pid) || undefined;
      });
      await running(dir);
    }
    await genenv('runner', 'stop');
    await shown(parts, dir, ({ head }) => head.state === 'interrupted');
    // Stopped by a person: no other one begins by itself.
    await until('it to wait', () => parts.queue.place(dir)?.state === 'waiting');
    await genenv('queue', 'remove', basename(dir));
  });
});
