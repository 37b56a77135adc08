import { strict as assert } from 'node:assert';
import { gzipSync } from 'node:zlib';
import * as z from 'zod';
import { sendForJson } from '../../../../src/endpoints/http/json.ts';
import { NodeHttpClient, type HttpClientOptions, type Trouble } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { sendJson, type Handler, type TestServer } from '../../../support/endpoints/httpServer.ts';
import { ManualTime } from '../../../support/endpoints/manualTime.ts';
import { failure, Meetings, timeout } from '../../../support/endpoints/meetings.ts';

describe('the HTTP client', () => {
  const meetings = new Meetings();
  let server: TestServer | null = null;
  let time = new ManualTime();
  let troubles: Trouble[] = [];

  async function meet(handler: Handler, options: Partial<HttpClientOptions> = {}): Promise<NodeHttpClient> {
    const met = await meetings.meet(handler, options);
    ({ server, time, troubles } = met);
    return met.client;
  }

  afterEach(async () => {
    await meetings.close();
    server = null;
  });

  it('sends JSON and gives back what came, on one connection', async () => {
    const http = await meet((response, { body }) => sendJson(response, { got: body }));
    for (const n of [1, 2]) {
      const answer = await http.send({ method: 'POST', path: '/a?x=1', body: { n } });
      assert.deepEqual(JSON.parse(answer.body.toString()), { got: JSON.stringify({ n }) });
    }
    assert.equal(server?.asked[0]?.path, '/a?x=1');
    assert.equal(server.asked[0].headers['content-type'], 'application/json');
    assert.equal(server.sockets.size, 1);
  });

  it('repeats with growing waits, the same idempotency key and a count', async () => {
    const http = await meet((response, _, count) => sendJson(response, {}, count < 4 ? 500 : 200), {
      idempotencyHeader: 'X-Idempotency-Key',
      retryHeader: 'x-stainless-retry-count',
    });
    const answer = http.send({ method: 'POST', path: '/a', body: {}, idempotencyKey: 'once' });
    for (const wait of [500, 1000, 2000]) assert.equal(await time.passWait(wait, timeout.answer), wait);
    await answer;
    assert.deepEqual(
      server?.asked.map(({ headers }) => [headers['x-idempotency-key'], headers['x-stainless-retry-count']]),
      ['0', '1', '2', '3'].map((count) => ['once', count]),
    );
    assert.deepEqual(
      troubles.map(({ attempt, delay }) => [attempt, delay]),
      [
        [1, 500],
        [2, 1000],
        [3, 2000],
      ],
    );
  });

  it('gives up after its tries and says what, where, how often and what to do', async () => {
    const http = await meet((response) => sendJson(response, { detail: 'out of memory' }, 500), { tries: 2 });
    const failed = failure(http.send({ method: 'POST', path: '/a?key=hidden' }));
    await time.passWait(500, 501);
    const { reason, attempts, status, message } = await failed;
    assert.deepEqual([reason, attempts, status], ['failed', 2, 500]);
    assert.match(message, /POST \/a: status 500: out of memory after 2 attempts\. See the server/);
    assert(!message.includes('hidden'));
  });

  for (const [status, reason] of [
    [400, 'refused'],
    [401, 'credentials'],
    [402, 'billing'],
    [403, 'credentials'],
    [404, 'refused'],
    [410, 'gone'],
    [422, 'refused'],
    [501, 'unable'],
  ] as const) {
    it(`does not repeat after ${status}, which is ${reason}`, async () => {
      const http = await meet((response) => sendJson(response, { error: { message: 'no' } }, status));
      assert.equal((await failure(http.send({ method: 'GET', path: '/a' }))).reason, reason);
      assert.equal(server?.asked.length, 1);
    });
  }

  it('gives up early on an unreachable server if asked to, but not on one that answers', async () => {
    const http = await meet((response, _, count) => (count <= 3 ? response.destroy() : sendJson(response, {}, 500)), {
      triesUnreachable: 3,
      tries: 5,
    });
    const away = failure(http.send({ method: 'GET', path: '/a' }));
    for (const wait of [500, 1000]) assert.equal(await time.passWait(wait, 15_000), wait);
    const { reason } = await away;
    assert.deepEqual([reason, server?.asked.length], ['unreachable', 3]);
    const failing = failure(http.send({ method: 'GET', path: '/a' }));
    for (const wait of [500, 1000, 2000, 4000]) assert.equal(await time.passWait(wait, 15_000), wait);
    assert.equal((await failing).reason, 'failed');
    assert.equal(server?.asked.length, 8);
  });

  it('knows a used-up quota from a full queue', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } };
    const http = await meet((response) => sendJson(response, body, 429));
    assert.equal((await failure(http.send({ method: 'GET', path: '/a' }))).reason, 'billing');
    assert.equal(server?.asked.length, 1);
  });

  it('waits as long as the server asks, and no longer than a minute', async () => {
    const asks = [{ 'retry-after-ms': '1234' }, { 'retry-after': '7' }, { 'retry-after': '3600' }, {}];
    const http = await meet((response, _, count) => sendJson(response, {}, count > 4 ? 200 : 429, asks[count - 1]));
    const answer = http.send({ method: 'GET', path: '/a' });
    for (const wait of [1234, 7000, 60_000]) {
      await time.until(() => troubles.at(-1)?.delay === wait);
      await time.until(() => time.waits.includes(wait));
      time.pass(wait);
    }
    await time.until(() => troubles.length === 4);
    time.pass(30_000);
    await answer;
    assert(troubles.every(({ refused }) => refused));
  });

  it('holds a date in retry-after against the server’s clock, not ours', async () => {
    const http = await meet((response, _, count) => {
      const date = { date: 'Sat, 01 Jan 2000 00:00:00 GMT', 'retry-after': 'Sat, 01 Jan 2000 00:00:09 GMT' };
      sendJson(response, {}, count === 1 ? 503 : 200, count === 1 ? date : {});
    });
    const answer = http.send({ method: 'GET', path: '/a' });
    await time.passWait(9000, 9001);
    await answer;
  });

  it('backs off by itself where the server asks for no wait', async () => {
    const date = 'Sat, 01 Jan 2000 00:00:09 GMT';
    const asks = [
      { 'retry-after': '0' },
      { date, 'retry-after': date },
      { 'retry-after-ms': '0' },
      { 'retry-after-ms': '0', 'retry-after': '7' },
    ];
    for (const status of [429, 500]) {
      const http = await meet((response, _, count) =>
        sendJson(response, {}, count > 4 ? 200 : status, asks[count - 1]),
      );
      const answer = http.send({ method: 'GET', path: '/a' });
      for (const wait of [500, 1000, 2000, 7000]) {
        await time.until(() => troubles.at(-1)?.delay === wait);
        await time.until(() => time.waits.includes(wait));
        time.pass(wait);
      }
      await answer;
    }
  });

  it('waits at least as long as a request says, also where the server asks for less', async () => {
    const http = await meet((response, _, count) =>
      sendJson(response, {}, count > 2 ? 200 : 429, { 'retry-after': count === 1 ? '1' : '9' }),
    );
    const answer = http.send({ method: 'GET', path: '/a', leastPause: 5000 });
    for (const wait of [5000, 9000]) {
      await time.until(() => time.waits.includes(wait));
      time.pass(wait);
    }
    await answer;
    assert.deepEqual(
      troubles.map(({ delay }) => delay),
      [5000, 9000],
    );
  });

  it('obeys x-should-retry', async () => {
    const http = await meet((response, { path }, count) =>
      path === '/no'
        ? sendJson(response, {}, 500, { 'x-should-retry': 'false' })
        : sendJson(response, {}, count === 2 ? 400 : 200, { 'x-should-retry': 'true' }),
    );
    assert.equal((await failure(http.send({ method: 'GET', path: '/no' }))).attempts, 1);
    const answer = http.send({ method: 'GET', path: '/yes' });
    await time.passWait(500, 501);
    await answer;
  });

  it('slows everybody down when one is refused, but not what is urgent', async () => {
    const http = await meet((response, _, count) =>
      sendJson(response, {}, count === 1 ? 429 : 200, count === 1 ? { 'retry-after': '5' } : {}),
    );
    const refused = http.send({ method: 'GET', path: '/refused' });
    await time.until(() => troubles.length === 1);
    const later = http.send({ method: 'GET', path: '/later' });
    await http.send({ method: 'GET', path: '/heartbeat', urgent: true });
    await time.until(() => time.waits.filter((wait) => wait === 5000).length === 2);
    assert.deepEqual(
      server?.asked.map(({ path }) => path),
      ['/refused', '/heartbeat'],
    );
    time.pass(5000);
    await Promise.all([refused, later]);
  });

  it('does not count refusals against a request while others are answered', async () => {
    const http = await meet(
      (response, { path }, count) => {
        sendJson(response, {}, path === '/unlucky' && count < 12 ? 429 : 200);
      },
      { tries: 3 },
    );
    const unlucky = http.send({ method: 'GET', path: '/unlucky' });
    for (let i = 1; i <= 5; i++) {
      await time.until(() => troubles.length === i);
      const lucky = http.send({ method: 'GET', path: '/lucky' });
      time.pass(0);
      await time.until(() => time.waits.length > 0);
      time.pass(30_000);
      await lucky;
    }
    await time.until(() => troubles.length === 6 || server?.asked.at(-1)?.path === '/unlucky');
    time.pass(30_000);
    await unlucky;
  });

  it('is overloaded when nobody is answered', async () => {
    const http = await meet((response) => sendJson(response, {}, 429), { tries: 3 });
    const failed = failure(http.send({ method: 'GET', path: '/a' }));
    for (const n of [1, 2]) {
      await time.until(() => troubles.length === n);
      time.pass(30_000);
    }
    const { reason, attempts } = await failed;
    assert.deepEqual([reason, attempts], ['overloaded', 3]);
  });

  it('gives a conflict three tries', async () => {
    const http = await meet((response) => sendJson(response, {}, 409));
    const failed = failure(http.send({ method: 'GET', path: '/a' }));
    await time.passWait(500, 501);
    await time.passWait(1000, 1001);
    assert.equal((await failed).attempts, 3);
  });

  it('waits for the first byte only so long', async () => {
    const http = await meet((response, _, count) => {
      if (count > 1) sendJson(response, {});
    });
    const answer = http.send({ method: 'GET', path: '/a' });
    await time.until(() => server?.asked.length === 1);
    time.pass(timeout.answer);
    await time.passWait(500, 501);
    await answer;
    assert.match(troubles[0]?.what ?? '', /no answer within 60 s/);
  });

  it('waits for the whole only so long, however steadily it comes', async () => {
    const http = await meet(
      (response) => {
        response.writeHead(200);
        response.write('x'.repeat(1000));
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
        response.on('close', () => clearInterval(timer));
      },
      { tries: 1 },
    );
    const failed = failure(http.send({ method: 'GET', path: '/a', timeout: { answer: 1000, whole: 5000 } }));
    await time.until(() => time.waits.includes(30_000));
    time.pass(5000);
    assert.match((await failed).message, /no whole answer within 5 s/);
  });

  it('does not let a server trickle its answer', async () => {
    const http = await meet(
      (response) => {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{');
      },
      { tries: 1 },
    );
    const failed = failure(http.send({ method: 'GET', path: '/a' }));
    await time.passWait(30_000, 30_001);
    const { reason, message } = await failed;
    assert.equal(reason, 'unreachable');
    assert.match(message, /less than 256 bytes within 30 s/);
    await time.until(() => server?.sockets.size === 0);
  });

  it('takes blank lines as a sign of life, not as an answer', async () => {
    let go: () => void = () => undefined;
    const http = await meet((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('\n\n');
      go = () => response.end('{"a":1}');
    });
    const answer = sendForJson(http, { method: 'GET', path: '/a' }, z.object({ a: z.number() }));
    await time.until(() => server?.asked.length === 1);
    time.pass(40_000);
    go();
    assert.deepEqual(await answer, { a: 1 });
  });

  it('asks again for an answer that ends in the middle', async () => {
    const http = await meet((response, _, count) => {
      if (count > 1) {
        sendJson(response, { a: 1 });
        return;
      }
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"a"');
      setImmediate(() => response.destroy());
    });
    const answer = sendForJson(http, { method: 'GET', path: '/a' }, z.object({ a: z.number() }));
    await time.passWait(500, 501);
    assert.deepEqual(await answer, { a: 1 });
  });

  for (const [name, body, said] of [
    ['truncated JSON', '{"a": [1, 2', /no whole JSON; the answer begins: \{"a": \[1, 2/],
    ['an HTML page', '<!DOCTYPE html><html>Bad</html>', /an HTML page instead of JSON; .*<!DOCTYPE/],
    ['JSON of another form', '{"a":"one"}', /not as expected at a: /],
    ['text in another encoding', Buffer.from('{"a":"\u00e4"}', 'latin1'), /it is not UTF-8; the answer begins: \{"a"/],
    ['nothing', '', /no whole JSON; the answer begins: \(empty\)/],
  ] as const) {
    it(`asks five times when it gets ${name}, and shows how it begins`, async () => {
      const http = await meet((response) => response.writeHead(200).end(body));
      const failed = failure(sendForJson(http, { method: 'GET', path: '/a' }, z.object({ a: z.number() })));
      for (const wait of [500, 1000, 2000, 4000]) await time.passWait(wait, wait + 1);
      const { reason, attempts, message } = await failed;
      assert.deepEqual([reason, attempts], ['malformed', 5]);
      assert.match(message, said);
    });
  }

  it('is as patient as with other trouble where a server has made sense before', async () => {
    const answers = ['{"a":1}', ...Array.from({ length: 6 }, () => '<!DOCTYPE html><html>Bad</html>'), '{"a":2}'];
    const http = await meet((response) => response.writeHead(200).end(answers.shift()));
    const ask = () => sendForJson(http, { method: 'GET', path: '/a' }, z.object({ a: z.number() }));
    assert.deepEqual(await ask(), { a: 1 });
    const second = ask();
    for (const wait of [500, 1000, 2000, 4000, 8000, 16_000]) await time.passWait(wait, wait + 1);
    assert.deepEqual(await second, { a: 2 });
  });

  it('refuses an answer without bounds, also one that only unpacks to it', async () => {
    const http = await meet(
      (response, { path }) => {
        if (path === '/long') response.end('x'.repeat(5000));
        else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000)));
      },
      { largestAnswer: 1000, tries: 1 },
    );
    for (const path of ['/long', '/packed'])
      assert.equal((await failure(http.send({ method: 'GET', path }))).reason, 'malformed');
  });

  it('unpacks what is packed', async () => {
    const http = await meet((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
    );
    const answer = await http.send({ method: 'GET', path: '/a' });
    assert.equal(answer.body.toString(), '{"a":1}');
  });

  it('closes the socket when it is aborted, while sending and while waiting', async () => {
    const http = await meet((response, { path }) => {
      if (path === '/fail') sendJson(response, {}, 500);
    });
    for (const path of ['/hang', '/fail']) {
      const stop = new AbortController();
      const answer = http.send({ method: 'GET', path }, stop.signal);
      await time.until(() => (path === '/hang' ? server?.asked.length === 1 : troubles.length === 1));
      stop.abort(new Error('enough'));
      await assert.rejects(answer, /enough/);
    }
    await time.until(() => time.waits.length === 0);
    const before = server?.asked.length;
    time.pass(60_000);
    assert.equal(server?.asked.length, before);
    await assert.rejects(http.send({ method: 'GET', path: '/x' }, AbortSignal.abort(new Error('before'))), /before/);
  });

  it('says what went wrong when a time limit ends its tries', async () => {
    const http = await meet((response) => sendJson(response, { error: 'no GPU' }, 500));
    const stop = new AbortController();
    const failed = failure(http.send({ method: 'GET', path: '/a' }, stop.signal));
    await time.until(() => troubles.length === 1);
    stop.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    const { reason, message } = await failed;
    assert.equal(reason, 'failed');
    assert.match(message, /GET \/a: status 500: no GPU\. See the server/);
  });

  it('is unreachable where nobody listens', async () => {
    const http = await meet(() => undefined, { tries: 2 });
    await server?.stop();
    const failed = failure(http.send({ method: 'GET', path: '/a' }));
    await time.passWait(500, 501);
    const { reason, message } = await failed;
    assert.equal(reason, 'unreachable');
    assert.match(message, /no connection \(ECONNREFUSED\) after 2 attempts/);
  });

  it('never shows keys: headers, addresses, echoes', async () => {
    const http = await meet((response, { headers }) => {
      sendJson(
        response,
        { detail: `bad key ${String(headers['x-api-key'])} and ${String(headers.authorization)}` },
        403,
      );
    }, {});
    const address = new URL(server?.url ?? '');
    address.search = '?token=hidden-token';
    http.close();
    const client = new NodeHttpClient({
      url: address.href,
      time,
      credentials: () => Promise.resolve({ 'X-API-Key': 'tml-very-secret' }),
    });
    assert(server !== null);
    meetings.add({ client, server });
    const { message, endpoint } = await failure(client.send({ method: 'GET', path: '/a' }));
    for (const secret of ['tml-very', 'hidden-token']) assert(!message.includes(secret), message);
    assert.equal(endpoint, server.url);
    assert.match(server.asked[0]?.path ?? '', /token=hidden-token/);
  });
});
