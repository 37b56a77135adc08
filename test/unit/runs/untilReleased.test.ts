import assert from 'node:assert/strict';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/runs/files/fileOperations.ts';
import { Lease } from '../../../src/runs/lease/lease.ts';
import { untilReleased } from '../../../src/runs/lease/untilReleased.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';

const log = { info: () => undefined, warn: () => undefined };

describe('runs: the end of a writer elsewhere', () => {
  it('is seen in its lease, however late lists are', () =>
    withTempRuns(async ({ root }) => {
      const clock = { now: () => Date.now() };
      const path = join(root, 'lease');
      const { signal } = new AbortController();
      await untilReleased(path, clock, signal, () => assert.fail('waited, although no process holds the lease'));
      const lease = await Lease.take(path, { clock, log, files: nodeFiles });
      let looks = 0;
      await untilReleased(path, clock, signal, async () => {
        looks += 1;
        if (looks === 3) await lease.release();
      });
      assert.equal(looks, 3);
    }));

  it('is waited for no longer than the window is open', () =>
    withTempRuns(async ({ root }) => {
      const clock = { now: () => Date.now() };
      const path = join(root, 'lease');
      const lease = await Lease.take(path, { clock, log, files: nodeFiles });
      const closing = new AbortController();
      const closed = new Error('closed');
      const waiting = untilReleased(path, clock, closing.signal, () => {
        closing.abort(closed);
        return Promise.resolve();
      });
      await assert.rejects(waiting, closed);
      await lease.release();
    }));
});
