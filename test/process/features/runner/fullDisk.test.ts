/** A full disk is no end of a runner: it waits for space, and continues with the queue that it has in memory. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { QueueEntryEvent } from '../../../../src/features/runner/contract.ts';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { readQueueEvents, runnerInbox, runnerPaths } from '../../../../src/features/runner/node/runnerFiles.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { mountSmallDisk, type SmallDisk } from '../../../support/runs/smallDisk.ts';
import { skip } from '../../../support/skip.ts';
import { eventually } from '../../../support/until.ts';

const megabyte = 2 ** 20;
const clock = { now: () => Date.now() };

/** Finishes with more words than a page that the journal has begun takes, and reports its place before. */
const child = `
const why = 'x'.repeat(10_000);
process.once('message', () => {
  const place = { epoch: 1, epochs: 2, epochSince: 0, secondsLeft: null, phases: [], pausing: false, loads: [] };
  process.send({ type: 'live', place });
  setTimeout(() => process.send({ type: 'landed', how: 'finished', why, epoch: 2 }, () => process.exit(0)), 700);
});`;

describe('a runner whose disk is full', () => {
  let disk: SmallDisk | null = null;
  let elsewhere: string;

  before(function () {
    const mounted = mountSmallDisk(megabyte);
    if (typeof mounted === 'string') skip(this, mounted);
    disk = mounted;
    elsewhere = mkdtempSync(join(tmpdir(), 'genenv-full-'));
    writeFileSync(join(elsewhere, 'child.mjs'), child);
  });
  after(() => {
    if (disk === null) return;
    disk.remove();
    rmSync(elsewhere, { recursive: true });
  });

  it('continues once there is space, says so once, and leaves no parts of files', async () => {
    const root = disk?.root ?? '';
    const [events, warned]: [QueueEntryEvent[], string[]] = [[], []];
    const log = { info: () => undefined, warn: (text: string) => warned.push(text) };
    const names = ['a', 'b', 'c'];
    const work = names.map((run) => ({
      ...{ run, name: run, addresses: ['http://gpu:8000'], priority: 0, after: [], retries: 2, author: 'ann' },
      ...{ study: null, copies: null, member: null, rest: null },
    }));
    await runnerInbox(root, { clock, log }).post({ type: 'add', author: 'ann', work });
    const going = executeQueue({
      ...{ store: new RunStore(root, { clock, log, version: 'test' }), clock, log, untilEmpty: true },
      keys: new GrantedKeys(environmentKeys({})),
      limits: limitsOf(new Map(), 4, null),
      command: [process.execPath, join(elsewhere, 'child.mjs')],
      signal: new AbortController().signal,
      onEvent: (event) => {
        events.push(event);
        if (event.type !== 'started' || event.run !== 'a') return;
        const { bavail, bsize } = statfsSync(root);
        writeFileSync(join(root, '.filler'), Buffer.alloc(bavail * bsize));
      },
    });
    await eventually(async () => {
      assert.match(await Promise.resolve(warned.join('\n')), /disk is full.*waits for space/);
    });
    disk?.grow(8 * megabyte);
    assert.equal(await going, 'empty');
    const ended = events.flatMap((event) => (event.type === 'ended' ? [`${event.run} ${event.outcome}`] : []));
    assert.deepEqual(ended, ['a finished', 'b finished', 'c finished']);
    assert.deepEqual(
      (await readQueueEvents(runnerPaths(root).queue)).map(({ type }) => type),
      events.map(({ type }) => type),
    );
    assert.deepEqual(
      readdirSync(runnerPaths(root).dir).filter((name) => name.startsWith('live.json')),
      [],
    );
    assert.equal(warned.filter((text) => text.includes('waits for space')).length, 1);
  });
});
