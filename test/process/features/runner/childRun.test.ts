/** A run's process that does not end by itself when it is asked to. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChildRun } from '../../../../src/features/runner/node/childRun.ts';

/** Reacts to no signal. */
const deaf = `
const place = {
  epoch: 3, epochs: 10, epochSince: 0, secondsLeft: null, phases: [], pausing: false, loads: [],
};
process.on('message', () => undefined);
process.send({ type: 'live', place });
setInterval(() => undefined, 1000);`;

describe('the process of a run in the queue', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-child-'));
    writeFileSync(join(folder, 'deaf.mjs'), deaf);
    writeFileSync(join(folder, 'broken.mjs'), 'process.exit(3);');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const begin = async (program: string, ...asked: ('pause' | 'interrupt')[]): Promise<Awaited<ChildRun['landed']>> => {
    const placed = Promise.withResolvers<undefined>();
    const child = new ChildRun({
      command: [process.execPath, join(folder, program)],
      root: folder,
      entry: {
        ...{ run: 'r1', name: 'r1', addresses: [], priority: 0, after: [], retries: 2, author: 'ann' },
        ...{ study: null, copies: null, member: null, rest: null },
      },
      ...{ log: 'ignore', grants: [], patience: 100, onPlace: () => placed.resolve(undefined) },
    });
    if (asked.length > 0) await placed.promise;
    for (const how of asked) child.end(how);
    return child.landed;
  };

  it('that was asked to end and is ended, landed as it was asked to', async () => {
    assert.deepEqual(await begin('deaf.mjs', 'pause'), { how: 'paused', why: '', epoch: 3 });
    assert.deepEqual(await begin('deaf.mjs', 'interrupt'), { how: 'interrupted', why: '', epoch: 3 });
    assert.equal((await begin('deaf.mjs', 'interrupt', 'pause')).how, 'paused', 'what a person asks for counts');
    assert.equal((await begin('deaf.mjs', 'pause', 'interrupt')).how, 'paused');
  });

  it('that ends unasked, failed', async () => {
    const { how, why } = await begin('broken.mjs');
    assert.deepEqual([how, why], ['failed', 'Its process ended with code 3.']);
  });
});
