import assert from 'node:assert/strict';
import * as z from 'zod';
import { TestServer } from '../../support/serve/testServer.ts';

describe('tokenizers by the models’ names, as a hub serves them', function () {
  this.timeout(240_000);
  const server = new TestServer();
  before(() => server.start());
  after(() => server.stop());

  const file = '/genenv/agent/resolve/main/tokenizer.json';

  it('tells a file’s size, mark and revision without its content', async () => {
    const [told, sent] = [await server.send('HEAD', file), await server.send('GET', file)];
    assert.deepEqual([told.status, sent.status], [200, 200]);
    assert.equal(told.bytes.length, 0);
    assert.equal(told.headers.get('content-length'), String(sent.bytes.length));
    for (const name of ['etag', 'x-repo-commit']) assert.equal(told.headers.get(name), sent.headers.get(name), name);
    assert.match(told.headers.get('x-repo-commit') ?? '', /^[0-9a-f]{40}$/);
    const info = await server.send('GET', '/api/models/genenv/agent');
    assert.equal(z.object({ sha: z.string() }).parse(info.json).sha, told.headers.get('x-repo-commit'));
  });

  it('sends the file that its own address sends', async () => {
    const own = await server.send('GET', '/tokenizers/agent/tokenizer.json');
    assert.deepEqual((await server.send('GET', file)).bytes, own.bytes);
  });

  it('says whether a file or a repository is absent', async () => {
    const kind = async (method: string, path: string): Promise<unknown> => {
      const { status, headers } = await server.send(method, path);
      assert.equal(status, 404, path);
      return headers.get('x-error-code');
    };
    assert.equal(await kind('HEAD', '/genenv/agent/resolve/main/config.json'), 'EntryNotFound');
    assert.equal(await kind('GET', '/api/models/genenv/agent/tree/main/additional_chat_templates'), 'EntryNotFound');
    assert.equal(await kind('HEAD', '/genenv/other/resolve/main/tokenizer.json'), 'RepoNotFound');
    assert.equal(await kind('GET', '/api/models/other/agent'), 'RepoNotFound');
  });
});
