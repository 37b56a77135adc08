/** How often a request is sent, and with which key. */
import { strict as assert } from 'node:assert';
import { sendJson, type Handler } from '../../../support/endpoints/httpServer.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { ManualTime } from '../../../support/endpoints/manualTime.ts';
import { failure, Meetings } from '../../../support/endpoints/meetings.ts';

describe('tries of a request', () => {
  const meetings = new Meetings();

  afterEach(() => meetings.close());

  it('looks up an expired key once more, and retries with the renewed one', async () => {
    const keys = ['old', 'new', 'new'];
    const { client: http, server } = await meetings.meet(
      (response, { headers }) => sendJson(response, {}, headers['x-key'] === 'new' ? 200 : 401),
      {
        credentials: () => Promise.resolve({ 'x-key': keys.shift() ?? 'none' }),
      },
    );
    await http.send({ method: 'GET', path: '/a' });
    assert.equal(server.asked.length, 2);
    const { client: stuck } = await meetings.meet((response) => sendJson(response, {}, 401), {
      credentials: () => Promise.resolve({ 'x-key': 'same' }),
    });
    assert.equal((await failure(stuck.send({ method: 'GET', path: '/a' }))).reason, 'credentials');
  });

  it('looks up a renewed key once for all requests in flight, and retries each', async () => {
    let [valid, looks] = ['old', 0];
    const held: (() => void)[] = [];
    const { client: http, time } = await meetings.meet(
      (response, { path, headers }) => {
        const status = headers['x-key'] === valid ? 200 : 401;
        const answer = (): void => sendJson(response, {}, status);
        if (path === '/slow' && status === 401) held.push(answer);
        else answer();
      },
      { credentials: () => Promise.resolve({ 'x-key': looks++ === 0 ? 'old' : 'new' }) },
    );
    await http.send({ method: 'GET', path: '/fast' });
    valid = 'new';
    const slow = [1, 2].map(() => http.send({ method: 'GET', path: '/slow' }));
    await time.until(() => held.length === 2);
    await Promise.all([1, 2, 3].map(() => http.send({ method: 'GET', path: '/fast' })));
    // These were sent with the old key and are refused after the others have looked.
    for (const answer of held) answer();
    await Promise.all(slow);
    assert.equal(looks, 2);
  });

  it('holds a limit of one kind of failure against that kind alone', async () => {
    const page = '<!doctype html><p>Not found';
    const fates = [502, 502, 404, 502, 404, 404];
    const { client: http, server } = await meetings.meet(
      (response) => {
        const status = fates.shift() ?? 200;
        response.writeHead(status, { 'content-type': 'text/html' }).end(page);
      },
      { time: new FastTime(1000) },
    );
    const { status, attempts } = await failure(http.send({ method: 'GET', path: '/a' }));
    assert.deepEqual({ status, attempts }, { status: 404, attempts: 6 });
    assert.equal(server.asked.length, 6);
  });

  it('uses another connection at once when the server closed an idle one', async () => {
    const { client: http, server } = await meetings.meet((response, _, count) => {
      if (count === 2) response.destroy();
      else sendJson(response, {});
    });
    await http.send({ method: 'GET', path: '/a' });
    await http.send({ method: 'GET', path: '/b', tries: 1 });
    assert.equal(server.asked.length, 3);
  });

  it('counts a try on a used connection that broke while the server was at work', async () => {
    const clock = new ManualTime();
    const handler: Handler = (response, { path }) => {
      if (path === '/fast') sendJson(response, {});
      else {
        clock.pass(1000);
        response.destroy();
      }
    };
    const { client: http, server } = await meetings.meet(handler, { time: clock });
    await http.send({ method: 'GET', path: '/fast' });
    const { reason, attempts } = await failure(http.send({ method: 'GET', path: '/deadly', tries: 1 }));
    assert.deepEqual([reason, attempts, server.asked.length], ['unreachable', 1, 2]);
  });

  it('forgives three closed idle connections a request', async () => {
    const held: (() => void)[] = [];
    const {
      client: http,
      server,
      time,
    } = await meetings.meet((response, { path }) => {
      if (path === '/deadly') response.destroy();
      else held.push(() => sendJson(response, {}));
    });
    const fast = Array.from({ length: 8 }, () => http.send({ method: 'GET', path: '/fast' }));
    await time.until(() => held.length === 8);
    for (const answer of held) answer();
    await Promise.all(fast);
    const { attempts } = await failure(http.send({ method: 'GET', path: '/deadly', tries: 1 }));
    assert.deepEqual([attempts, server.asked.length], [4, 12]);
  });

  const page = '<!DOCTYPE html><html><head><title>Tunnel offline</title></head></html>';
  for (const [what, status, body, headers] of [
    ['a page that says 404', 404, page, {}],
    ['a page that says 403', 403, page, {}],
    ['404 and nothing', 404, '', {}],
    ['404 in plain words', 404, 'not found', {}],
    ['the way to a login', 302, '', { location: 'https://login.example.com/sso?x=1' }],
    ['425', 425, 'too early', {}],
    ['499', 499, '', {}],
  ] satisfies readonly [string, number, string, Record<string, string>][]) {
    it(`waits for a server that answered well before, though its proxy says ${what} for a minute`, async () => {
      const { client: http, server } = await meetings.meet(
        (response, _, count) => {
          if (count === 1 || count > 8) sendJson(response, {});
          else response.writeHead(status, headers).end(body);
        },
        { json: true, time: new FastTime(1000) },
      );
      await http.send({ method: 'POST', path: '/a?key=1' });
      await http.send({ method: 'POST', path: '/a?key=2' });
      assert.equal(server.asked.length, 9);
    });
  }

  it('says that the server is away where its proxy answers for it to the end, also with a status that is an answer', async () => {
    const { client: http, server } = await meetings.meet(
      (response, _, count) => (count === 1 ? sendJson(response, {}) : response.writeHead(404).end(page)),
      { json: true, time: new FastTime(1000) },
    );
    await http.send({ method: 'POST', path: '/a' });
    const { reason, status, message } = await failure(http.send({ method: 'POST', path: '/a', accept: [404] }));
    assert.deepEqual([reason, status], ['unreachable', null]);
    assert.match(message, /status 404: an HTML page, “Tunnel offline” after 10 attempts/);
    assert.equal(server.asked.length, 11);
  });

  it('believes what the server itself says, and a refusal of what it never answered', async () => {
    const { client: http, server } = await meetings.meet(
      (response, { path }, count) => {
        if (path === '/a') sendJson(response, { detail: 'gone' }, count === 1 ? 200 : 404);
        else response.writeHead(404).end('404 page not found');
      },
      { json: true },
    );
    await http.send({ method: 'GET', path: '/a' });
    const own = await failure(http.send({ method: 'GET', path: '/a' }));
    const other = await failure(http.send({ method: 'GET', path: '/b' }));
    assert.deepEqual([own.reason, own.status, other.reason, other.status], ['refused', 404, 'refused', 404]);
    assert.equal(server.asked.length, 3);
  });

  it('never repeats what may have one try, however many others are answered', async () => {
    const held: (() => void)[] = [];
    const {
      client: http,
      time,
      troubles,
    } = await meetings.meet((response, { path }) => {
      if (path === '/once') held.push(() => sendJson(response, {}, 503));
      else sendJson(response, {});
    });
    const once = failure(http.send({ method: 'GET', path: '/once', tries: 1 }));
    await time.until(() => held.length === 1);
    await http.send({ method: 'GET', path: '/lucky' });
    held[0]?.();
    const { reason, attempts } = await once;
    assert.deepEqual([reason, attempts, troubles], ['overloaded', 1, []]);
  });
});
