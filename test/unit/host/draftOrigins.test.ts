import assert from 'node:assert/strict';
import { keepOrigin, originOf } from '../../../src/host/runs/draftOrigins.ts';

/** The workspace's own state, as JSON keeps it. */
function memory() {
  const kept = new Map<string, string>();
  return {
    keys: () => [...kept.keys()],
    get: (key: string): unknown => JSON.parse(kept.get(key) ?? 'null') ?? undefined,
    update(key: string, value: unknown) {
      kept.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}

describe('host: runs that files were made from', () => {
  it('are the newest that a file was made from: a rerun is no branch that had its name before', async () => {
    const kept = memory();
    assert.equal(originOf(kept, '/a-2.genenv.json'), null);
    await keepOrigin(kept, '/a-2.genenv.json', { run: '/runs/a', epoch: 3, reward: 'mine.reward.ts' });
    await keepOrigin(kept, '/b-2.genenv.json', { run: '/runs/b', epoch: 0, reward: null });
    await keepOrigin(kept, '/a-2.genenv.json', { run: '/runs/a', epoch: null, reward: null });
    assert.deepEqual(originOf(kept, '/a-2.genenv.json'), { run: '/runs/a', epoch: null, reward: null });
    assert.deepEqual(originOf(kept, '/b-2.genenv.json'), { run: '/runs/b', epoch: 0, reward: null });
  });
});
