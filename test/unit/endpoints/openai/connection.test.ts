import assert from 'node:assert/strict';
import * as z from 'zod';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import type { Connection } from '../../../../src/endpoints/openai/connection.ts';
import { KeyError } from '../../../../src/launch/access/keys.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { sendJson, TestServer, type Handler } from '../../../support/endpoints/httpServer.ts';

const schema = z.object({ data: z.array(z.object({ id: z.string() })) });
const models = { object: 'list', data: [{ id: 'qwen' }] };

describe('a request by the openai package', () => {
  const closing: (() => Promise<void> | void)[] = [];
  const { signal } = new AbortController();

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function connect(handler: Handler, key: string | null = null, path = '/v1') {
    const server = await TestServer.start(handler);
    closing.push(() => server.stop());
    const options = { time: new FastTime(1000) };
    const keys = agreedKeys({ KEY: 'sk-own-key' });
    const connection = openaiConnection({ root: server.url, api: path }, key, keys, options);
    closing.push(() => connection.http.close());
    return { server, connection };
  }

  const list = (connection: Connection, tries?: number) =>
    connection.ask((client) => client.get('/models'), schema, { signal, tries });

  it('takes nothing from the environment and tells nothing of this machine', async () => {
    const foreign = {
      OPENAI_BASE_URL: 'http://127.0.0.1:9/elsewhere',
      OPENAI_API_KEY: 'sk-foreign',
      OPENAI_ORG_ID: 'org-foreign',
      OPENAI_CUSTOM_HEADERS: 'x-foreign: 1',
    };
    Object.assign(process.env, foreign);
    try {
      const { server, connection } = await connect((response) => sendJson(response, models), '${env:KEY}');
      assert.deepEqual(await list(connection), { data: [{ id: 'qwen' }] });
      const [asked] = server.asked;
      assert.equal(asked?.path, '/v1/models');
      assert.equal(asked.headers.authorization, 'Bearer sk-own-key');
      assert.doesNotMatch(JSON.stringify(asked), /foreign|stainless/i);
    } finally {
      for (const name of Object.keys(foreign)) Reflect.deleteProperty(process.env, name);
    }
  });

  it('is made by one client of the package for all requests of an endpoint', async () => {
    const { connection } = await connect((response) => sendJson(response, models));
    const clients = new Set<unknown>();
    for (const path of ['/models', '/models']) {
      await connection.ask((client) => client.get((clients.add(client), path)), schema, { signal });
    }
    assert.equal(clients.size, 1);
  });

  it('goes below the address that was given, whatever it is', async () => {
    const { server, connection } = await connect((response) => sendJson(response, models), null, '');
    await list(connection);
    assert.equal(server.asked[0]?.path, '/models');
  });

  it('is made again until what comes back has the form', async () => {
    const { server, connection } = await connect((response, _asked, count) => {
      if (count === 1) response.writeHead(503).end();
      else if (count === 2) response.end('{"object":"list","da');
      else if (count === 3) sendJson(response, { object: 'list', data: [{ name: 'qwen' }] });
      else if (count === 4) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
      else if (count === 5) response.destroy();
      else sendJson(response, models);
    });
    assert.deepEqual(await list(connection), { data: [{ id: 'qwen' }] });
    assert.equal(server.asked.length, 6);
  });

  it('fails with our own errors, and without a retry of the package’s own', async () => {
    const { server, connection } = await connect((response) => sendJson(response, { error: { message: 'no' } }, 500));
    await assert.rejects(list(connection, 1), (error) => {
      assert.ok(EndpointError.is(error, 'failed'));
      assert.match(error.message, /GET \/v1\/models: status 500: no/);
      return true;
    });
    assert.equal(server.asked.length, 1);
    const keyless = await connect((response) => sendJson(response, models), '${env:NO_KEY}');
    await assert.rejects(list(keyless.connection), (error) => KeyError.is(error));
  });

  it('is given up by closing the socket, with the reason that was said', async () => {
    const leaving = new AbortController();
    const { server, connection } = await connect(() => leaving.abort(new Error('Paused.')));
    const asked = connection.ask((client) => client.get('/models'), schema, { signal: leaving.signal });
    await assert.rejects(asked, /^Error: Paused\.$/);
    for (const socket of server.sockets) await new Promise((resolve) => socket.once('close', resolve));
    assert.equal(server.sockets.size, 0);
  });
});
