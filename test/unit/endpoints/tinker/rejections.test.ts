/** A server that fails every request: callers get the error, and no rejection is left over. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { Connection } from '../../../../src/endpoints/tinker/connection.ts';
import { Ledger } from '../../../../src/endpoints/tinker/ledger.ts';
import { makeModel } from '../../../../src/endpoints/tinker/makeModel.ts';
import { TrainedModel } from '../../../../src/endpoints/tinker/trainedModel.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { sendJson, TestServer, type Handler } from '../../../support/endpoints/httpServer.ts';

const log = { info: () => undefined, warn: () => undefined };
const adam = { learningRate: 0, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 0 };
const read = (): null => null;
const signal = new AbortController().signal;

async function withConnection(handler: Handler, use: (connection: Connection) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-rejections-'));
  const server = await TestServer.start(handler);
  const time = new FastTime(100);
  const http = new NodeHttpClient({ url: server.url, time, tries: 2 });
  const connection = new Connection({ http, ledger: await Ledger.open(join(folder, 'ledger.jsonl')), log, time });
  const left: unknown[] = [];
  const hear = (reason: unknown) => left.push(reason);
  // The runner's own would fail the test without a word about which rejection it was.
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection').on('unhandledRejection', hear);
  try {
    await use(connection);
    await turn();
    assert.deepEqual(left, []);
  } finally {
    process.off('unhandledRejection', hear);
    for (const other of others) process.on('unhandledRejection', other);
    connection.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Opens sessions, and refuses every heavy call. */
const refusing: Handler = (response, { path }) => {
  if (path.endsWith('/create_session')) sendJson(response, { session_id: 's' });
  else sendJson(response, { detail: 'no such model' }, 404);
};

describe('tinker: a call that fails', () => {
  it('is told by its result alone, whoever waits for it to be accepted', () =>
    withConnection(refusing, async (connection) => {
      await assert.rejects(
        connection.submit('/api/v1/unload_model', () => ({ body: {} }), read, signal).result,
        (error) => EndpointError.is(error, 'gone'),
      );
      const order = { baseModel: 'x', rank: 4, role: 'agent', load: null, from: 'base:x' };
      await assert.rejects(makeModel(connection, order, signal), (error) => EndpointError.is(error, 'gone'));
    }));

  it('leaves nothing over where several are under way', () =>
    withConnection(refusing, async (connection) => {
      const model = new TrainedModel(connection, 'm', 0, signal);
      const data = [{ tokens: [1, 2, 3], weights: [0, 1, 1] }];
      const all = await Promise.allSettled([
        model.accumulate(data, { name: 'cross_entropy' }),
        model.step(adam),
        model.save('agent@1'),
        model.unload(),
      ]);
      assert.deepEqual(
        all.map(({ status }) => status),
        ['rejected', 'rejected', 'rejected', 'rejected'],
      );
    }));

  it('leaves nothing over when nobody waits for any of it', () =>
    withConnection(refusing, async (connection) => {
      connection.submit('/api/v1/unload_model', () => ({ body: {} }), read, signal);
      await connection
        .submit('/api/v1/unload_model', () => ({ body: {} }), read, signal)
        .accepted.catch(() => undefined);
    }));
});
