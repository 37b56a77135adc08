import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as z from 'zod';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { certificate } from '../../../support/endpoints/certificate.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { accept, tail } from '../../../support/ray/fakeTail.ts';

interface Listening {
  port: number;
  close(): void;
}

const portSchema = z.object({ port: z.number() });

describe('proxies of the environment', () => {
  const closing: (() => void)[] = [];
  /** The requests through the proxy. */
  let through: string[] = [];
  let server: Listening;
  let secure: Listening;

  async function listen(given: ReturnType<typeof createServer>): Promise<Listening> {
    const sockets = new Set<Socket>();
    given.on('connection', (socket: Socket) => sockets.add(socket));
    await new Promise<void>((resolve) => given.listen(0, '127.0.0.1', resolve));
    const close = (): void => {
      given.close();
      for (const socket of sockets) socket.destroy();
    };
    closing.push(close);
    return { port: portSchema.parse(given.address()).port, close };
  }

  /** Finds every name at this machine's own servers. @param says to CONNECT, in place of opening it */
  async function proxy(says: string | null = null, status: number | null = null): Promise<string> {
    const given = createServer((asked, response) => {
      through.push(`${asked.method ?? ''} ${asked.url ?? ''}`);
      if (status !== null) {
        response.writeHead(status).end('<title>Cache Access Denied</title>');
        return;
      }
      const path = new URL(asked.url ?? '').pathname;
      const forwarded = request({ host: '127.0.0.1', port: server.port, path }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forwarded.end();
    });
    given.on('connect', (asked, client: Socket) => {
      through.push(`CONNECT ${asked.url ?? ''}`);
      if (says !== null) {
        client.end(`HTTP/1.1 ${says}\r\n\r\n`);
        return;
      }
      const way = connect(secure.port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        way.pipe(client).pipe(way);
      });
      closing.push(() => way.destroy());
    });
    return `http://127.0.0.1:${(await listen(given)).port}`;
  }

  const trusted = getCACertificates('default');

  beforeEach(async () => {
    through = [];
    const answer: Parameters<typeof createServer>[1] = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    };
    server = await listen(createServer(answer));
    secure = await listen(createSecure(certificate, answer));
    setDefaultCACertificates([...trusted, certificate.cert]);
  });
  afterEach(() => {
    setDefaultCACertificates(trusted);
    for (const close of closing.splice(0).reverse()) close();
  });

  async function get(url: string, environment: Record<string, string>, tries = 1): Promise<string> {
    const http = new NodeHttpClient({ url, environment, tries, time: new FastTime(100) });
    closing.push(() => http.close());
    return (await http.send({ method: 'GET', path: '/v1' })).body.toString();
  }

  const told = async (asking: Promise<unknown>): Promise<string> => {
    const error: unknown = await asking.catch((thrown: unknown) => thrown);
    assert(EndpointError.is(error), String(error));
    return `${error.reason}: ${error.message}`;
  };

  it('are asked for what is http, by either way of writing them', async () => {
    const address = await proxy();
    for (const name of ['HTTP_PROXY', 'http_proxy']) {
      assert.equal(await get('http://server.test:8000', { [name]: address }), '{"ok":true}');
    }
    assert.deepEqual(through, ['GET http://server.test:8000/v1', 'GET http://server.test:8000/v1']);
  });

  it('open a way to a WebSocket too, by the same rules', async () => {
    const address = await proxy();
    const attached = createSecure(certificate);
    attached.on('upgrade', (asked, socket) =>
      tail(accept(socket, asked.headers['sec-websocket-key'] ?? ''), job, undefined),
    );
    secure = await listen(attached);
    const job = { log: 'one\ntwo\n', status: 'SUCCEEDED' };
    const texts = async (url: string, environment: Record<string, string>): Promise<string> => {
      const http = new NodeHttpClient({ url, environment, time: new FastTime(100) });
      closing.push(() => http.close());
      return (await Array.fromAsync(http.listen('/tail', 1000, new AbortController().signal))).join('');
    };
    assert.equal(await texts('https://server.test', { HTTPS_PROXY: address }), job.log);
    assert.deepEqual(through, ['CONNECT server.test:443']);
    setDefaultCACertificates(trusted);
    await assert.rejects(texts('https://server.test', { HTTPS_PROXY: address }), { kind: 'certificate' });
    const closed = await proxy('407 Proxy Authentication Required');
    await assert.rejects(texts('https://server.test', { HTTPS_PROXY: closed }), { kind: 'proxy' });
    // A proxy gets http as a request like any other, and may answer it like one.
    const refused = { name: 'RefusedAnswer', message: 'status 200' };
    await assert.rejects(texts('http://server.test', { HTTP_PROXY: address }), refused);
  });

  it('open a way to what is https, whose certificate counts', async () => {
    const address = await proxy();
    assert.equal(await get('https://server.test', { HTTPS_PROXY: address }), '{"ok":true}');
    assert.deepEqual(through, ['CONNECT server.test:443']);
    setDefaultCACertificates(trusted);
    assert.match(await told(get('https://server.test', { HTTPS_PROXY: address })), /certificate is not trusted/);
  });

  it('are passed over for what NO_PROXY lists, and for this machine', async () => {
    const address = await proxy();
    const all = { HTTP_PROXY: address, HTTPS_PROXY: address };
    assert.match(await told(get('http://server.test:1', { ...all, NO_PROXY: 'other.test,.test' })), /no connection/);
    assert.equal(await get(`http://127.0.0.1:${server.port}`, all), '{"ok":true}');
    assert.equal(await get(`http://localhost:${server.port}`, all), '{"ok":true}');
    assert.deepEqual(through, []);
  });

  it('that refuse are named, with what to look at', async () => {
    const closed = await proxy('403 Forbidden');
    const forbidden = await told(get('https://server.test', { HTTPS_PROXY: closed.replace('//', '//me:secret@') }, 5));
    assert.match(forbidden, new RegExp(`^unreachable: .*the proxy ${closed} opens no way to it \\(HTTP/1.1 403`));
    assert.match(forbidden, /Check the proxy that HTTP_PROXY or HTTPS_PROXY names/);
    assert.doesNotMatch(forbidden, /secret/);
    assert.equal(through.length, 1, 'it would say so again');
    const asking = await proxy(null, 407);
    const wanted = await told(get('http://server.test', { HTTP_PROXY: asking }, 5));
    assert.match(wanted, /its proxy wants a user: status 407.*Check the proxy/);
  });

  it('that are away for a moment, or for good, are told as that', async () => {
    const busy = await proxy('503 Service Unavailable');
    assert.match(await told(get('https://server.test', { HTTPS_PROXY: busy }, 3)), /503 Service Unavailable.*after 3/);
    for (const [url, name] of [
      ['http://server.test', 'HTTP_PROXY'],
      ['https://server.test', 'HTTPS_PROXY'],
    ] as const) {
      const away = await told(get(url, { [name]: 'http://127.0.0.1:1' }));
      assert.match(away, /no connection to the proxy 127\.0\.0\.1:1 \(ECONNREFUSED\).*Check the proxy/);
    }
  });

  it('that never answer hold nothing up', async () => {
    const silent = createServer();
    silent.on('connect', () => undefined);
    const { port } = await listen(silent);
    const http = new NodeHttpClient({
      url: 'https://server.test',
      environment: { HTTPS_PROXY: `http://127.0.0.1:${port}` },
      ...{ tries: 1, time: new FastTime(100), timeout: { answer: 5_000, whole: 10_000 } },
    });
    assert.match(await told(http.send({ method: 'GET', path: '/v1' })), /no way through the proxy within 5 s/);
    http.close();
  });
});
