/** A queue is looked at while its runner writes: its files are read at one moment, or again. */
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookAtRunner, runnerInbox, runnerPaths } from '../../../../src/features/runner/node/runnerFiles.ts';
import type { QueueEntryEvent } from '../../../../src/features/runner/contract.ts';
import { renderHolder } from '../../../../src/runs/lease/leaseFile.ts';
import { placeNow } from '../../../../src/runs/lease/processPlace.ts';
import { onRead } from '../../../support/onRead.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };

const work = (run: string) => ({
  ...{ run, name: run, addresses: [], priority: 0, after: [], retries: 0, author: 'ann' },
  ...{ study: null, copies: null, member: null, rest: null },
});

describe('a look at a queue', () => {
  let root = '';
  const write = (...events: readonly QueueEntryEvent[]) =>
    appendFile(
      runnerPaths(root).queue,
      events.map((event) => `${JSON.stringify({ v: 1, at: 1, ...event })}\n`).join(''),
    );
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'genenv-look-'));
    const { dir, lease } = runnerPaths(root);
    await mkdir(dir);
    const holder = { v: 1 as const, host: 'h', ...placeNow(), nonce: 'a-runner', heartbeat: clock.now() };
    await writeFile(lease, renderHolder(holder));
    await write({ type: 'opened', host: 'h', pid: process.pid });
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  for (const reading of [1, 2]) {
    it(`knows that a runner ended as it should, also before reading ${reading} of its lease`, async () => {
      await write({ type: 'added', work: work('a') }, { type: 'started', run: 'a' });
      const { lease } = runnerPaths(root);
      const sight = await onRead(
        lease,
        reading,
        () => lookAtRunner(root, { clock, log }),
        async () => {
          await write({ type: 'ended', run: 'a', outcome: 'finished', why: '' }, { type: 'closed', why: 'empty' });
          await rm(lease);
        },
      );
      assert.deepEqual([sight.holder, sight.closed, sight.queue[0]?.state], [null, true, 'finished']);
    });
  }

  it('does not move an entry twice whose request is taken meanwhile', async () => {
    await write(...['a', 'b', 'c'].map((run) => ({ type: 'added' as const, work: work(run) })));
    const inbox = runnerInbox(root, { clock, log });
    await inbox.post({ type: 'move', run: 'c', to: 'up', author: 'ann' });
    const [request] = await inbox.waiting();
    const sight = await onRead(
      runnerPaths(root).lease,
      1,
      () => lookAtRunner(root, { clock, log }),
      async () => {
        await write({ type: 'moved', run: 'c', before: 'b', priority: 0 });
        await inbox.remove(request?.id ?? '');
      },
    );
    assert.deepEqual(
      sight.queue.map(({ run }) => run),
      ['a', 'c', 'b'],
    );
  });
});
