/** A resumed run begins with as many requests in flight as its servers had room for. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Schedulers } from '../../../src/launch/policies/schedulers.ts';
import { RemoteRun } from '../../support/faults/remoteRun.ts';
import { fromSources } from '../../support/fromSources.ts';
import { onlyRun } from '../../support/runContents.ts';

describe('the room of a run’s servers', function () {
  this.timeout(120_000);
  let run: RemoteRun;
  beforeEach(async () => {
    run = new RemoteRun(fromSources);
    await run.serve();
  });
  afterEach(() => run.remove());

  it('is kept when the run pauses, and begun with when it is resumed', async () => {
    const boundary = new AbortController();
    const first = await run.start(
      { epochs: 2 },
      {
        boundary: boundary.signal,
        onEvent: ({ type }) => {
          if (type === 'epoch.finished') boundary.abort();
        },
      },
    );
    assert.equal(first.state, 'paused', first.error?.message);
    const file = join(run.root, await onlyRun(run.root), 'endpoints', 'rooms.json');
    const url = new URL(run.server.url).href;
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    const models = ['genenv/agent', 'genenv/environment'];
    assert.deepEqual(kept, { v: 1, rooms: models.map((model) => ({ url, model, room: 64 })) });
    const settled = { v: 1, rooms: models.map((model) => ({ url, model, room: 1200 })) };
    await writeFile(file, JSON.stringify(settled));
    const schedulers = new Schedulers(run.time);
    const seen = new Set<number>();
    const second = await run.resume({
      schedulers,
      onProgress: () => {
        for (const { load } of schedulers.loads) seen.add(load.room);
      },
    });
    assert.equal(second.state, 'finished', second.error?.message);
    assert.deepEqual([...seen], [600]);
    assert.match(await readFile(file, 'utf8'), /"room":1200/);
  });
});
