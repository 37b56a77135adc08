/** Saves of a run on Tinker servers: listed with the runs that need them, deleted, and missed plainly afterwards. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { deleteSaves } from '../../../../src/features/saves/node/deleteSaves.ts';
import { runSaves, type RunSaves } from '../../../../src/features/saves/node/runSaves.ts';
import { SavesError, type SavesErrorReason } from '../../../../src/features/saves/node/savesError.ts';
import { policyNamed } from '../../../../src/launch/policies/newestAgent.ts';
import { ReattemptError } from '../../../../src/launch/policies/reattemptError.ts';
import { versionsOf } from '../../../../src/launch/policies/versionsOf.ts';
import type { RunStore } from '../../../../src/runs/store/runStore.ts';
import { RunError } from '../../../../src/runs/store/runError.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import type { JournalEvent } from '../../../../src/shared/journal/events.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { sendJson, TestServer as AnyServer } from '../../../support/endpoints/httpServer.ts';
import { fromSources } from '../../../support/fromSources.ts';
import { journalOf } from '../../../support/journal.ts';
import { experiment, withTempRuns } from '../../../support/runs/tempRuns.ts';
import { TestServer } from '../../../support/serve/testServer.ts';

const savedSchema = z.object({ path: z.string() });
const tools = { keys: agreedKeys({}), signal: new AbortController().signal };

const on = (url: string): Experiment => {
  const policy = { ...{ kind: 'tinker' as const, url, key: null, rank: 4, tokenizer: null }, inFlight: null };
  const endpoints = {
    agent: { ...policy, model: 'genenv/agent' },
    environment: { kind: 'embedded' as const, weights: 'environment' },
  };
  return { ...experiment, endpoints };
};

/** The addresses of two epochs' saves: to train on, and to sample from. */
type Handles = readonly [readonly [string, string], readonly [string, string]];

function eventsWith(handles: Handles): JournalEvent[] {
  const script = { successes: 50, attempts: 100, environment: 'none' } as const;
  return journalOf([script, script]).map((event) => {
    // The start is the base models, which no server has to keep.
    const base = { name: 'start', handle: 'base:model' };
    if (event.type === 'run.started') return { ...event, checkpoints: { agent: base, environment: base } };
    if (event.type !== 'agent.updated') return event;
    const [weights = '', sampler = ''] = handles[event.epoch - 1] ?? [];
    const { name } = event.version;
    return { ...event, version: { name, handle: sampler }, checkpoint: { name, handle: weights } };
  });
}

async function finished(store: RunStore, url: string, handles: Handles): Promise<string> {
  const writer = await store.create({ experiment: on(url) });
  for (const event of eventsWith(handles)) await writer.append(event);
  await writer.session({ type: 'finished' });
  await writer.close();
  return writer.id;
}

async function savesIn(store: RunStore, id: string): Promise<RunSaves> {
  const run = await store.openReader(id);
  try {
    return await runSaves(store, run, tools);
  } finally {
    await run.close();
  }
}

const refused = (work: Promise<unknown>, reason: SavesErrorReason, says: RegExp): Promise<void> =>
  assert.rejects(work, (error) => SavesError.is(error, reason) && says.test(error.message));

describe('saves of a run on a Tinker server', function () {
  this.timeout(120_000);
  const server = new TestServer();
  before(() => server.start());
  after(() => server.stop());

  let models = 0;
  async function saved(): Promise<Handles> {
    const model_id = await server.model(models++);
    let seq_id = 0;
    const save = async (call: string, path: string): Promise<string> =>
      savedSchema.parse(await server.ask(call, { model_id, path, seq_id: ++seq_id, type: call })).path;
    const both = async (epoch: number): Promise<[string, string]> => [
      await save('save_weights', `agent-${epoch}`),
      await save('save_weights_for_sampler', `agent-${epoch}`),
    ];
    return [await both(1), await both(2)];
  }

  const told = ({ saves }: RunSaves) => saves.map(({ handle, neededBy }) => [handle, neededBy] as const);

  it('are listed with their sizes and dates, and with the branches that need them', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const handles = await saved();
      const id = await finished(store, server.server.url, handles);
      const branch = await store.branch(id, 1, { ...on(server.server.url), name: 'the branch' });
      await branch.close();
      const found = await savesIn(store, id);
      const needed = (by: string[]) => (handle: string) => [handle, by] as const;
      const wanted = [...handles[0].map(needed(['the branch'])), ...handles[1].map(needed([]))];
      assert.deepEqual(new Map(told(found)), new Map(wanted));
      for (const { bytes, time, role } of found.saves) {
        assert.ok(bytes !== null && bytes > 0 && time !== null && role === 'agent');
      }
    }));

  it('are deleted unless another run needs them, and what needed a version says that its save was deleted', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const handles = await saved();
      const id = await finished(store, server.server.url, handles);
      const branch = await store.branch(id, 1, { ...on(server.server.url), name: 'the branch' });
      await branch.close();
      await refused(deleteSaves(store, branch.id, new Set(), tools), 'unfinished', /not finished/);
      await refused(deleteSaves(store, id, new Set([...handles[0], ...handles[1]]), tools), 'needed', /the branch/);
      await refused(deleteSaves(store, id, new Set(['tinker://m/weights/other']), tools), 'unknown', /other/);
      assert.equal((await savesIn(store, id)).saves.length, 4, 'nothing was deleted');
      const { deleted, stayed } = await deleteSaves(store, id, new Set(handles[1]), tools);
      assert.deepEqual([new Set(deleted), stayed], [new Set(handles[1]), []]);
      const left = await savesIn(store, id);
      assert.deepEqual([new Set(left.saves.map(({ handle }) => handle)), left.deleted], [new Set(handles[0]), 2]);

      const run = await store.openReader(id);
      const agent2 = (await versionsOf(run)).find(({ version }) => version.name === 'agent@2');
      assert.deepEqual([agent2?.kept, agent2?.deleted], [false, true]);
      const sampling = {
        ...tools,
        dist: fromSources,
        clock: Date,
        log: { info: () => undefined, warn: () => undefined },
      };
      await assert.rejects(
        policyNamed(run, 'agent@2', sampling),
        (error) =>
          ReattemptError.is(error, 'not-kept') &&
          /its save was deleted on the server/.test(error.message) &&
          /agent@1/.test(error.remedy),
      );
      await run.close();
      await assert.rejects(
        store.branch(id, 2, on(server.server.url)),
        (error) =>
          RunError.is(error, 'cannot-branch') && /saves of epoch 2 were deleted on their server/.test(error.message),
      );
    }));

  it('stay where a folder that may need them cannot be read', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const handles = await saved();
      const id = await finished(store, server.server.url, handles);
      await store.branch(id, 1, on(server.server.url)).then((branch) => branch.close());
      const [other = ''] = (await store.ids()).filter((one) => one !== id);
      await writeFile(`${store.root}/${other}/run.json`, 'no manifest');
      await refused(deleteSaves(store, id, new Set(handles[1]), tools), 'unread', new RegExp(other));
    }));

  it('stay on a server without a call that deletes them, and the run says nothing else', async () => {
    const handles: Handles = [
      ['tinker://m/weights/a-1', 'tinker://m/a-1'],
      ['tinker://m/weights/a-2', 'tinker://m/a-2'],
    ];
    const other = await AnyServer.start((response, { path, method }) => {
      if (method === 'DELETE' || !path.endsWith('/training_runs/m/checkpoints')) {
        sendJson(response, { detail: 'Not Found' }, 404);
      } else sendJson(response, { checkpoints: handles.flat().map((tinker_path) => ({ tinker_path })) });
    });
    try {
      await withTempRuns(async (runs) => {
        const store = runs.store();
        const id = await finished(store, other.url, handles);
        const { saves } = await savesIn(store, id);
        assert.deepEqual(
          saves.map(({ place, bytes, time }) => [place.kind, bytes, time]),
          [
            ['weights', null, null],
            ['sampler_weights', null, null],
            ['weights', null, null],
            ['sampler_weights', null, null],
          ],
        );
        const ended = await deleteSaves(store, id, new Set([handles[0][0]]), tools);
        assert.deepEqual(ended, { deleted: [], stayed: [handles[0][0]] });
        assert.equal((await savesIn(store, id)).deleted, 0);
      });
    } finally {
      await other.stop();
    }
  });
});
