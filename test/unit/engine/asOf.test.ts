/** The knowledge of sampling ahead: an edit reaches the first epoch whose sampling begins with it or after it. */
import assert from 'node:assert/strict';
import { reachedFrom, sampledFrom, stateAtStart } from '../../../src/engine/ahead/asOf.ts';
import { emptyState } from '../../../src/engine/state.ts';

describe('epochs that are sampled ahead', () => {
  for (const shared of [0, 3]) {
    it(`see an edit from the first epoch that is named${shared === 0 ? '' : ', in a branch too'}`, () => {
      for (const staleness of [0, 1, 2, 5]) {
        for (let epoch = shared + 1; epoch < shared + 9; epoch++) {
          const told = reachedFrom(epoch, staleness, shared);
          const later = Array.from({ length: 20 }, (_, i) => shared + 1 + i);
          const first = later.find((sampled) => sampledFrom(sampled, staleness, shared) >= epoch);
          assert.equal(told, first, `epoch ${epoch}, staleness ${staleness}`);
        }
      }
    });
  }

  it('know no edits that came after the start of their sampling, also in a resumed run', () => {
    const edits = [2, 3, 4].map((epoch) => ({
      epoch,
      edit: { action: 'exclude', task: `t${epoch}`, reason: 'wrong' } as const,
    }));
    const then = stateAtStart({ ...emptyState, edits }, 3, null);
    assert.deepEqual(
      then.edits.map(({ epoch }) => epoch),
      [2, 3],
    );
  });
});
