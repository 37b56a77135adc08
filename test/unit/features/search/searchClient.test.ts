import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SearchClient } from '../../../../src/features/search/node/searchClient.ts';
import { SearchError } from '../../../../src/features/search/node/searchError.ts';
import type { SearchHit } from '../../../../src/features/search/contract/searchHit.ts';
import { makeTrace } from '../../../support/runs/records.ts';
import { experiment, withTempRuns, type TempRuns } from '../../../support/runs/tempRuns.ts';
import { until } from '../../../support/until.ts';

const script = new URL('../../../../src/features/search/node/worker.ts', import.meta.url);

async function runOf(runs: TempRuns, count: number): Promise<string> {
  const writer = await runs.store().create({ experiment });
  await writer.appendTraces(
    Array.from({ length: count }, (_, i) =>
      makeTrace({
        id: `e1/t${i}/r0`,
        messages: [{ role: 'assistant', content: `walrus ${i} ${'plain '.repeat(200)}` }],
      }),
    ),
  );
  await writer.close();
  return writer.dir;
}

/** The thread ends before the runs go: it may be at work on their text indexes. */
describe('the thread of searches', () => {
  let client: SearchClient;
  const troubles: string[] = [];
  before(() => (client = new SearchClient(script, (message) => troubles.push(message))));
  const withRuns = (test: (runs: TempRuns) => Promise<void>): Promise<void> =>
    withTempRuns(async (runs) => {
      try {
        await test(runs);
      } finally {
        await client.dispose();
      }
    });

  const search = (dir: string, text: string, signal = new AbortController().signal, limit = 1000) => {
    const hits: SearchHit[] = [];
    const shares: number[] = [];
    const ended = client.search({
      ...{ dir, text, limit, signal },
      onHits: (some) => hits.push(...some),
      onProgress: (share) => shares.push(share),
    });
    return { ended, hits, shares };
  };

  it('streams hits, the newest first, and then makes the text index', async () => {
    await withRuns(async (runs) => {
      const dir = await runOf(runs, 500);
      const { ended, hits } = search(dir, 'walrus', undefined, 400);
      assert.deepEqual(await ended, { traces: 400, tasks: 0, limited: true });
      assert.deepEqual(
        hits.map((hit) => hit.kind === 'trace' && hit.trace),
        Array.from({ length: 400 }, (_, i) => `e1/t${499 - i}/r0`),
      );
      await until('the text indexes', () => existsSync(join(dir, 'index', 'traces.text.bin')));
      const again = search(dir, '"walrus 17 "');
      assert.deepEqual(await again.ended, { traces: 1, tasks: 0, limited: false });
      assert.deepEqual(troubles, []);
    });
  });

  it('ends early when it is cancelled, while others go on', async () => {
    await withRuns(async (runs) => {
      const dir = await runOf(runs, 3000);
      const stop = new AbortController();
      const stopped = search(dir, 'plain', stop.signal, 1e6);
      const other = search(dir, 'walrus', undefined, 1e6);
      stop.abort();
      const { traces } = await stopped.ended;
      assert.ok(traces < 3000, String(traces));
      assert.equal((await other.ended).traces, 3000);
    });
  });

  it('says what cannot be read, and works on', async () => {
    await withRuns(async (runs) => {
      const dir = await runOf(runs, 10);
      await assert.rejects(
        search(dir, 'nofield:3').ended,
        (error) => SearchError.is(error, 'run') && /There is no field/.test(error.message),
      );
      assert.equal((await search(dir, 'walrus').ended).traces, 10);
    });
  });

  it('rejects what waits when it is closed, and starts anew', async () => {
    await withRuns(async (runs) => {
      const dir = await runOf(runs, 2000);
      const { ended } = search(dir, 'plain', undefined, 1e6);
      const rejected = assert.rejects(ended, (error) => SearchError.is(error, 'worker'));
      await client.dispose();
      await rejected;
      assert.equal((await search(dir, 'walrus', undefined, 1e6).ended).traces, 2000);
    });
  });
});
