/** A runner that ends with its queue: it waits for no run whose turn cannot come. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsOf } from '../../../../src/features/runner/core/limits.ts';
import { GrantedKeys } from '../../../../src/features/runner/node/grants.ts';
import { executeQueue } from '../../../../src/features/runner/node/runner.ts';
import { lookAtRunner, runnerInbox } from '../../../../src/features/runner/node/runnerFiles.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';

const clock = { now: () => Date.now() };
const child = `process.once('message', () =>
  process.send({ type: 'landed', how: 'gone', why: 'Its reward is faulty.', epoch: 0 }, () => process.exit(0)));`;

describe('a runner that ends with its queue', () => {
  it('ends also where runs wait for one that failed, and names them', async () => {
    const root = mkdtempSync(join(tmpdir(), 'genenv-empty-'));
    try {
      writeFileSync(join(root, 'child.mjs'), child);
      const warned: string[] = [];
      const log = { info: () => undefined, warn: (text: string) => warned.push(text) };
      const work = [
        { run: 'a', after: [] },
        { run: 'b', after: ['a'] },
        { run: 'c', after: ['b'] },
      ].map((one) => ({
        ...{ name: one.run.toUpperCase(), addresses: ['http://gpu:8000'], priority: 0, retries: 2, author: 'ann' },
        ...{ study: null, copies: null, member: null, rest: null, ...one },
      }));
      await runnerInbox(root, { clock, log }).post({ type: 'add', author: 'ann', work });
      const why = await executeQueue({
        ...{ store: new RunStore(root, { clock, log, version: 'test' }), clock, log, untilEmpty: true },
        keys: new GrantedKeys(environmentKeys({})),
        limits: limitsOf(new Map(), 4, null),
        command: [process.execPath, join(root, 'child.mjs')],
        signal: new AbortController().signal,
      });
      assert.equal(why, 'empty');
      assert.deepEqual(warned, [
        'b waits for “A”, which did not finish: queue that again, or remove this one.',
        'c waits for “B” to finish.',
      ]);
      const { queue, closed } = await lookAtRunner(root, { clock, log });
      assert.deepEqual(
        queue.map(({ run, state }) => `${run} ${state}`),
        ['a failed', 'b waiting', 'c waiting'],
      );
      assert.ok(closed);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
