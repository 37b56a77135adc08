/** A save under a name that the server has: its address is taken over, or the model counts as lost. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { Connection } from '../../../../src/endpoints/tinker/connection.ts';
import { Ledger } from '../../../../src/endpoints/tinker/ledger.ts';
import { TrainedModel } from '../../../../src/endpoints/tinker/trainedModel.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { sendJson, TestServer } from '../../../support/endpoints/httpServer.ts';

/** As SkyRL: its save is written for so many looks, then whole, or never was. */
async function onSkyrl(
  looks: number,
  use: (model: TrainedModel, facts: { ledger: Ledger; looked: () => number }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-saved-'));
  let looked = 0;
  const server = await TestServer.start((response, { path }) => {
    if (path.endsWith('/checkpoints')) {
      const all = ['weights', 'sampler_weights'].map((kind) => ({ tinker_path: `tinker://m/${kind}/agent-1-1` }));
      sendJson(response, { checkpoints: looked > looks ? all : [] });
    } else if (path.endsWith('/weights_info') || path.endsWith('/agent-1-1/archive')) {
      looked += 1;
      sendJson(response, { detail: 'Checkpoint is still being created' }, Number.isFinite(looks) ? 425 : 404);
    } else if (path.endsWith('/retrieve_future')) sendJson(response, { metrics: {} });
    else sendJson(response, { detail: "Checkpoint 'agent-1-1' already exists for model 'm'" }, 409);
  });
  const time = new FastTime(1000);
  const log = { info: () => undefined, warn: () => undefined };
  const ledger = await Ledger.open(join(folder, 'ledger.jsonl'));
  const http = new NodeHttpClient({ url: server.url, time });
  const connection = new Connection({ http, ledger, log, time });
  try {
    await use(new TrainedModel(connection, 'm', 0, new AbortController().signal), { ledger, looked: () => looked });
  } finally {
    connection.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

describe('a save whose name a server has', () => {
  it('is waited for and taken over', async () => {
    await onSkyrl(3, async (model, { looked }) => {
      assert.equal(await model.save('agent@1'), 'tinker://m/weights/agent-1-1');
      assert.equal(looked(), 4);
    });
    await onSkyrl(0, async (model) =>
      assert.equal(await model.publish('agent@1'), 'tinker://m/sampler_weights/agent-1-1'),
    );
  });

  it('is lost with its model where no such save is whole', () =>
    onSkyrl(Infinity, async (model, { ledger }) => {
      await ledger.add({ type: 'model', session: 's', id: 'm', from: 'base:x', seq: 0 });
      await assert.rejects(model.save('agent@1'), (error) => EndpointError.is(error, 'gone'));
      assert.equal(ledger.modelAt('base:x'), null);
    }));

  it('is lost with its model where a number had another request', () =>
    onSkyrl(Infinity, async (model, { ledger }) => {
      await ledger.add({ type: 'model', session: 's', id: 'm', from: 'base:x', seq: 0 });
      const data = [{ tokens: [1, 2, 3], weights: [0, 1, 1] }];
      await assert.rejects(model.pass(data, { name: 'cross_entropy' }), (error) => EndpointError.is(error, 'gone'));
      assert.equal(ledger.modelAt('base:x'), null);
    }));
});
