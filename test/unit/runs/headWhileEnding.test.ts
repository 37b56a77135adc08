import assert from 'node:assert/strict';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import { readHead } from '../../../src/runs/store/runHead.ts';
import { journalOf } from '../../support/journal.ts';
import { onRead } from '../../support/onRead.ts';
import { experiment, withTempRuns } from '../../support/runs/tempRuns.ts';

const script = { successes: 50, attempts: 100 };

describe('the head of a run that ends while it is read', () => {
  it('is finished, not interrupted', () =>
    withTempRuns(async (runs) => {
      const writer = await runs.store().create({ experiment });
      const head = await onRead(
        runPaths(writer.dir).lease,
        1,
        () => readHead(writer.dir, { now: () => runs.now }),
        async () => {
          for (const event of journalOf([script])) await writer.append(event);
          await writer.close();
        },
      );
      assert.deepEqual([head.state, head.epoch], ['finished', 1]);
    }));
});
