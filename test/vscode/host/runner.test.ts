/** Runs that go through the queue: started in the editor, executed by a process of its own, steered from here. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { GenEnvApi } from '../../../src/extension.ts';
import { runnerPaths } from '../../../src/features/runner/node/runnerFiles.ts';
import type { RunDir } from '../../../src/host/runs/runs.ts';
import { renderHolder } from '../../../src/runs/lease/leaseFile.ts';
import { placeNow } from '../../../src/runs/lease/processPlace.ts';
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

  it('starts a run that came while its runner was ending', async () => {
    await noRunner();
    const { dir: folder, queue } = runnerPaths(root());
    const line = (event: object): Promise<void> =>
      appendFile(queue, `${JSON.stringify({ v: 1, at: Date.now(), ...event })}\n`);
    const ending = { host: 'h', ...placeNow(), nonce: 'ending', heartbeat: Date.now() };
    await mkdir(folder, { recursive: true });
    await line({ type: 'opened', host: 'h', pid: process.pid });
    await writeFile(lease(), renderHolder({ v: 1, ...ending }));
    const dir = await parts.service.start(await experimentFile('ending', { epochs: 500 }));
    assert.equal(parts.queue.place(dir)?.state, 'waiting');
    // It takes no more requests.
    await line({ type: 'closed', why: 'asked' });
    await rm(lease());
    await running(dir);
    await parts.service.pause(dir, 'now');
  });

  it('says that a study in the queue is not as its files are, until they are as before', async () => {
    const { file } = await experimentFile('based', { epochs: 2 });
    const study = join(workspaceFolder(), 'waits.study.json');
    const text = JSON.stringify({
      ...{ version: 1, name: 'waits', base: basename(file.fsPath), seeds: [1, 2], budget: { rollouts: 64 } },
      ...{ arms: { a: {}, b: { 'curriculum.alpha': 0.3 } }, measures: [{ kind: 'band', low: 0.4, high: 0.6 }] },
    });
    await writeFile(study, text);
    await genenv('queue', 'pause');
    await genenv('runner', 'start');
    try {
      await genenv('queue', 'add', study);
      const { studies } = parts.queue;
      assert.equal(studies.of(study), null);
      await writeFile(study, text.replace('[1,2]', '[1,2,3]'));
      await until('the change to be seen', () => studies.of(study) !== null);
      assert.match(studies.of(study)?.text ?? '', /“waits” is queued as it was before waits\.study\.json changed/);
      assert.deepEqual([studies.of(study)?.file, studies.of(file.fsPath)?.file], [study, study]);
      assert.equal(studies.named(root(), 'waits')?.waits, true);
      await writeFile(study, text);
      await until('it to be as it was', () => studies.of(study) === null);
    } finally {
      await genenv('queue', 'remove', 'study-waits');
      await genenv('queue', 'resume');
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
