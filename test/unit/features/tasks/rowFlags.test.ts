import assert from 'node:assert/strict';
import { RowFlags } from '../../../../src/features/tasks/host/rowFlags.ts';

const unverifiable = { flag: 'unverifiable' as const, why: 'It does not verify.' };

describe('flags of rows', () => {
  it('are not kept where they were found before an edit of that row, or of all', () => {
    const flags = new RowFlags();
    const early = flags.moment;
    flags.forget(new Set([3]));
    assert.equal(flags.keep(3, [unverifiable], early), false);
    assert.equal(flags.has(3), false);
    assert.equal(flags.keep(4, [], early), true);
    assert.equal(flags.keep(3, [], flags.moment), true);
    const later = flags.moment;
    flags.forget(null);
    assert.equal(flags.has(4), false);
    assert.equal(flags.keep(4, [], later), false);
    assert.equal(flags.keep(4, [], flags.moment), true);
    assert.deepEqual(flags.get(4), []);
  });
});
