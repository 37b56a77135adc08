/** A request to stop that came when its runner was ending by itself: the next runner does not obey it. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { lookAtRunner, runnerInbox, runnerPaths } from '../../../../src/features/runner/node/runnerFiles.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
const child = `process.once('message', () =>
  process.send({ type: 'landed', how: 'finished', why: '', epoch: 1 }, () => process.exit(0)));`;

describe('a request to stop the runner', () => {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'genenv-stop-'));
    writeFileSync(join(root, 'child.mjs'), child);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const inbox = () => runnerInbox(root, { clock, log });
  const execute = () =>
    executeQueue({
      ...{ store: new RunStore(root, { clock, log, version: 'test' }), clock, log, untilEmpty: true },
      keys: new GrantedKeys(environmentKeys({})),
      limits: limitsOf(new Map(), 4, null),
      command: [process.execPath, join(root, 'child.mjs')],
      signal: new AbortController().signal,
    });
  const add = (run: string) =>
    inbox().post({
      ...{ type: 'add', author: 'ann' },
      work: [
        {
          ...{ run, name: run, addresses: [], priority: 0, after: [], retries: 0, author: 'ann' },
          ...{ study: null, copies: null, member: null, rest: null },
        },
      ],
    });
  const states = async () =>
    (await lookAtRunner(root, { clock, log })).queue.map(({ run, state }) => `${run} ${state}`);

  it('ends no runner that begins after the one that it was for had ended', async () => {
    await add('a');
    assert.equal(await execute(), 'empty');
    await inbox().post({ type: 'stop', author: 'ann' });
    await add('b');
    assert.equal(await execute(), 'empty');
    assert.deepEqual(await states(), ['a finished', 'b finished']);
    assert.deepEqual(await inbox().waiting(), []);
  });

  it('is obeyed for a runner that died before it took it', async () => {
    await add('a');
    await execute();
    await appendFile(
      runnerPaths(root).queue,
      `${JSON.stringify({ v: 1, at: 1, type: 'opened', host: 'h', pid: 1 })}\n`,
    );
    await inbox().post({ type: 'stop', author: 'ann' });
    await add('b');
    assert.equal(await execute(), 'asked');
    assert.deepEqual(await states(), ['a finished', 'b waiting']);
  });
});
