import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Workspace } from '../support/genenv.ts';
import { served, stop } from '../support/serve/served.ts';

describe('genenv serve', () => {
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('says where it is, answers there, and ends by Ctrl-C', async () => {
    const server = await served(workspace);
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'genenv/agent', messages: [{ role: 'user', content: 'rice' }], max_tokens: 4 }),
    });
    assert.equal(answer.status, 200);
    const { out, err } = await stop(server);
    assert.match(out, /Key +none: any is taken\n/);
    assert.match(out, /\nStopped\.\n$/);
    assert.equal(err, '');
    assert.ok(existsSync(join(workspace.dir, '.genenv', 'serve')));
  });

  it('asks for the key of its environment, and never says it', async () => {
    const server = await served(workspace, [], { GENENV_SERVE_KEY: 'tml-secret' });
    const status = async (key: string): Promise<number> =>
      (await fetch(`${server.url}/v1/models`, { headers: { 'x-api-key': key } })).status;
    assert.deepEqual([await status('tml-secret'), await status('tml-guess')], [200, 401]);
    const { out, err } = await stop(server);
    assert.doesNotMatch(out + err, /tml-secret/);
  });

  it('fails on purpose, and says so', async () => {
    const server = await served(workspace, ['--fault', '500=1@models', '--state', 'elsewhere']);
    assert.equal((await fetch(`${server.url}/v1/models`)).status, 500);
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    assert.match((await stop(server)).out, /Faults on purpose +500 1 at models\n/);
    assert.ok(existsSync(join(workspace.dir, 'elsewhere')));
  });

  it('refuses what it does not understand', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, err } = await workspace.genenv('serve', ...args);
      assert.equal(code, 2, err);
      return err;
    };
    assert.match(await refused('--fault', 'x=1'), /NAME=SHARE/);
    assert.match(await refused('--fault', '500=1@sampel', '--port', '0'), /no call “sampel”.*asample, .*optim_step/s);
    assert.match(await refused('--port', '70000'), /70000 is no port/);
    const server = await served(workspace);
    assert.match(await refused('--port', new URL(server.url).port), /is taken/);
    await stop(server);
  });
});
