/** The epochs that see an edit, in branches whose runs sampled ahead otherwise. */
import assert from 'node:assert/strict';
import { editsSeenBy, inForceFrom } from '../../../src/runs/journal/editsReach.ts';
import type { OwnSettings, Settings } from '../../../src/runs/journal/lineage.ts';
import { referenceExperiment } from '../../support/reference/referenceRun.ts';

const settings = (staleness: number, epoch: number | null): Settings => ({
  experiment: referenceExperiment({ rollouts: { staleness } }),
  parent: epoch === null ? null : { run: 'before', epoch },
});
const run = (own: Settings, ...ancestors: Settings[]): OwnSettings => ({ ...own, ancestors });

describe('an edit of a task in a branch', () => {
  it('was seen by shared epochs as the run that made them sampled', () => {
    const branch = run(settings(0, 8), settings(2, null));
    assert.deepEqual(
      [5, 8, 9].map((epoch) => editsSeenBy(branch, epoch)),
      [3, 6, 9],
    );
    assert.deepEqual(
      [5, 8, 9].map((epoch) => inForceFrom(branch, epoch)),
      [7, 9, 9],
    );
  });

  it('is in force as each run of a line of branches says', () => {
    const middle = settings(2, 4);
    const newest = run(settings(2, 8), middle, settings(2, null));
    for (const epoch of [5, 6]) {
      assert.equal(editsSeenBy(newest, epoch), editsSeenBy(run(middle, settings(2, null)), epoch));
      assert.equal(inForceFrom(newest, epoch), inForceFrom(run(middle, settings(2, null)), epoch));
    }
    assert.equal(editsSeenBy(newest, 5), 5);
  });
});
