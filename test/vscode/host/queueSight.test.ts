/** A folder's queue as its window sees it, beside a runner that this test plays. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FolderQueue } from '../../../src/features/runner/host/folderQueue.ts';
import { runnerInbox, runnerPaths } from '../../../src/features/runner/node/runnerFiles.ts';
import { renderHolder } from '../../../src/runs/lease/leaseFile.ts';
import { placeNow } from '../../../src/runs/lease/processPlace.ts';
import { RunStore } from '../../../src/runs/store/runStore.ts';
import { dist } from '../../support/built.ts';
import { onRead } from '../../support/onRead.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

describe('a window’s sight of a queue', () => {
  let root = '';
  let queue: FolderQueue;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-sight-'));
    const { dir, lease, queue: journal } = runnerPaths(root);
    await mkdir(dir);
    await writeFile(lease, renderHolder({ v: 1, host: 'h', ...placeNow(), nonce: 'played', heartbeat: clock.now() }));
    await writeFile(journal, `${JSON.stringify({ v: 1, at: 1, type: 'opened', host: 'h', pid: process.pid })}\n`);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    const store = () => Promise.resolve(new RunStore(root, { clock, log, version: 'test' }));
    const onError = (error: unknown): void => assert.fail(String(error));
    queue = new FolderQueue({ workspace, root, store }, { clock, log, dist, version: 'test', onError });
  });
  afterEach(async () => {
    queue.dispose();
    await rm(root, { recursive: true, force: true });
  });

  it('holds what was asked before the look, also where another look was at its end', async () => {
    let second = Promise.resolve();
    // The last file of a look.
    await onRead(
      runnerPaths(root).live,
      1,
      () => queue.look(),
      async () => {
        await runnerInbox(root, { clock, log }).post({ type: 'hold', author: 'ann' });
        second = queue.look();
      },
    );
    await second;
    assert.equal(queue.sight?.held, true);
  });

  it('has no runner once the folder is gone', async () => {
    await queue.look();
    assert.ok(queue.sight?.holder);
    await rm(runnerPaths(root).dir, { recursive: true });
    await queue.look();
    assert.equal(queue.sight.holder, null);
  });
});
