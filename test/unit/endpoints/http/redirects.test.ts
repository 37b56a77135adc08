import { strict as assert } from 'node:assert';
import * as z from 'zod';
import { addressesOf } from '../../../../src/endpoints/openai/address.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { TestServer } from '../../../support/endpoints/httpServer.ts';
import { failure, Meetings } from '../../../support/endpoints/meetings.ts';

const anything = z.unknown();
const give = 'Give that address for this endpoint.';
const check = 'Check that the address leads to this kind of server and not to a proxy or a page.';

describe('answers that point elsewhere', () => {
  const meetings = new Meetings();
  afterEach(() => meetings.close());

  for (const [path, location, said] of [
    ['/api/v1/jobs?key=k', 'https://new.test:8443/api/v1/jobs?key=k', `it points to https://new.test:8443. ${give}`],
    ['/api/jobs/', 'https://new.test/ray/api/jobs', `it points to https://new.test/ray. ${give}`],
    ['/api/jobs', 'https://sso.test/login?back=/api/jobs', `it points to https://sso.test/login. ${check}`],
    ['/ws', 'wss://user:word@new.test/ws', `it points to https://new.test. ${give}`],
    ['/api/jobs', 'http://[', 'status 301. Check the settings'],
  ] as const) {
    it(`name the address to set, not that of the request: ${location}`, async () => {
      const { client } = await meetings.meet((response) => response.writeHead(301, { location }).end());
      const { message } = await failure(client.send({ method: 'GET', path, tries: 1 }));
      assert.ok(message.includes(said), message);
      assert.ok(!message.includes('word'), message);
    });
  }

  it('are read from the request where they name a path alone, and a slash at the end is no other address', async () => {
    const { client, server } = await meetings.meet((response, { path }) =>
      response.writeHead(308, { location: path === '/a' ? '/below/a' : '/b/' }).end(),
    );
    const told = async (path: string): Promise<string> =>
      (await failure(client.send({ method: 'GET', path, tries: 1 }))).message;
    assert.match(await told('/a'), new RegExp(`it points to ${server.url}/below\\. ${give}`));
    assert.match(await told('/b'), new RegExp(`it points to ${server.url}/b\\. Check that the address`));
  });

  it('of an OpenAI-compatible server keep the /v1 that its address ends in', async () => {
    const server = await TestServer.start((response, { path }) =>
      response.writeHead(301, { location: `https://new.test${path}` }).end(),
    );
    try {
      for (const [written, base] of [
        ['', 'https://new.test/v1'],
        ['/v1', 'https://new.test/v1'],
        ['/gateway/v1/', 'https://new.test/gateway/v1'],
        ['/gateway/llm', 'https://new.test/gateway/llm'],
      ] as const) {
        const [address] = addressesOf(server.url + written);
        const connection = openaiConnection(address, null, environmentKeys({}), { tries: 1 });
        const list = connection.ask((client) => client.models.list(), anything, {
          signal: AbortSignal.timeout(60_000),
        });
        const health = connection.http.send({ method: 'GET', path: '/health' });
        for (const asked of [list, health])
          assert.ok((await failure(asked)).message.includes(`it points to ${base}. ${give}`), written);
        connection.http.close();
      }
    } finally {
      await server.stop();
    }
  });
});
