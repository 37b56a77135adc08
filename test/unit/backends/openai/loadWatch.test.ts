import assert from 'node:assert/strict';
import { NodeHttpClient } from '../../../../src/backends/http/nodeHttpClient.ts';
import { watchLoad } from '../../../../src/backends/openai/loadWatch.ts';
import type { Busyness } from '../../../../src/backends/schedule/scheduler.ts';
import { FastTime } from '../../../support/backends/fastTime.ts';
import { TestServer } from '../../../support/backends/httpServer.ts';

describe('the load of an OpenAI-compatible server', () => {
  const metrics = (waiting: number, cache: number) =>
    'vllm:num_requests_running{engine="0"} 7\n' +
    `vllm:num_requests_waiting{engine="0"} ${waiting}\nvllm:kv_cache_usage_perc{engine="0"} ${cache}\n`;

  it('is told to the scheduler until nobody waits, past a failure', async () => {
    const server = await TestServer.start((response, _asked, count) => {
      if (count === 2) response.writeHead(500).end();
      else response.end(count === 1 ? metrics(3, 0.5) : metrics(0, 0.99));
    });
    const http = new NodeHttpClient({ url: server.url });
    const done = new AbortController();
    const told: [number, Busyness][] = [];
    const busy = (replica: number, busyness: Busyness) => {
      told.push([replica, busyness]);
      if (told.length === 2) done.abort(new Error('Enough.'));
    };
    await watchLoad(http, 4, { busy }, new FastTime(500), done.signal);
    assert.deepEqual(told, [
      [4, { waiting: 3, full: false }],
      [4, { waiting: 0, full: true }],
    ]);
    http.close();
    await server.stop();
  });

  it('is not asked for again where there are no metrics', async () => {
    const server = await TestServer.start((response) => response.writeHead(404).end());
    const http = new NodeHttpClient({ url: server.url });
    const busy = () => assert.fail('There was nothing to tell.');
    await watchLoad(http, 0, { busy }, new FastTime(500), new AbortController().signal);
    assert.equal(server.asked.length, 1);
    http.close();
    await server.stop();
  });
});
