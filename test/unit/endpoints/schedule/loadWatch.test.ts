import { strict as assert } from 'node:assert';
import { NodeHttpClient, type Trouble } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { busynessOf, watchLoad } from '../../../../src/endpoints/schedule/loadWatch.ts';
import type { Busyness } from '../../../../src/endpoints/schedule/scheduler.ts';
import { TestServer } from '../../../support/endpoints/httpServer.ts';
import { ManualTime } from '../../../support/endpoints/manualTime.ts';

describe('watching how busy servers are', () => {
  it('asks while there is work, and leaves those that tell nothing', async () => {
    const telling = await TestServer.start((response) => {
      response.end('vllm:num_requests_running 10\nvllm:num_requests_waiting 7\nvllm:kv_cache_usage_perc 0.97\n');
    });
    const silent = await TestServer.start((response) => response.writeHead(404).end());
    const time = new ManualTime();
    const clients = [silent, telling].map(({ url }) => new NodeHttpClient({ url }));
    const told: [number, Busyness][] = [];
    const load = { inFlight: 0, waiting: 0, room: 64 };
    const busy = (replica: number, busyness: Busyness) => told.push([replica, busyness]);
    try {
      watchLoad({ busy, load }, clients, time, { info: (note) => assert.fail(note) });
      time.pass(5000);
      await time.until(() => time.waits.length === 2);
      assert.equal(telling.asked.length + silent.asked.length, 0);
      load.inFlight = 3;
      for (let i = 1; i <= 2; i++) {
        time.pass(5000);
        await time.until(() => told.length === i);
        await time.until(() => time.waits.length === 1);
      }
      assert.deepEqual(told, [
        [1, { waiting: 7, full: true }],
        [1, { waiting: 7, full: true }],
      ]);
      assert.equal(silent.asked.length, 1);
      for (const client of clients) client.close();
      await time.until(() => time.waits.length === 0);
    } finally {
      for (const client of clients) client.close();
      await Promise.all([telling.stop(), silent.stop()]);
    }
  });

  it('asks again of those that are too busy to tell, and slows no request down for them', async () => {
    const statuses = [429, 503, 200];
    const server = await TestServer.start((response, { path }, count) => {
      if (path === '/metrics') response.writeHead(statuses.shift() ?? 200, { 'retry-after': '60' });
      response.end(path === '/metrics' ? 'vllm:num_requests_running 10\n' : `{"count": ${count}}`);
    });
    const [time, clients] = [new ManualTime(), new ManualTime()];
    const troubles: Trouble[] = [];
    const client = new NodeHttpClient({ url: server.url, time: clients, onTrouble: (one) => troubles.push(one) });
    const told: Busyness[] = [];
    const load = { inFlight: 3, waiting: 0, room: 64 };
    try {
      watchLoad({ busy: (_, busyness) => told.push(busyness), load }, [client], time, {
        info: (note) => assert.fail(note),
      });
      for (let asked = 1; asked <= 3; asked++) {
        await time.until(() => time.waits.length === 1);
        time.pass(5000);
        // Others are answered meanwhile.
        await client.send({ method: 'POST', path: '/sample', body: {} });
        await time.until(() => server.asked.filter(({ path }) => path === '/metrics').length === asked);
      }
      await time.until(() => told.length === 1);
      assert.equal(server.asked.length, 6);
      assert.deepEqual(troubles, []);
    } finally {
      client.close();
      await server.stop();
    }
  });

  it('takes a few that wait for none', () => {
    assert.deepEqual(busynessOf({ running: 100, waiting: 5, cache: null }), { waiting: 0, full: false });
    assert.deepEqual(busynessOf({ running: 100, waiting: 6, cache: 0.95 }), { waiting: 6, full: false });
    assert.deepEqual(busynessOf({ running: 4, waiting: null, cache: 0.96 }), { waiting: 0, full: true });
  });
});
