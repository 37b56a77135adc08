import assert from 'node:assert/strict';
import { Workspace } from '../support/genenv.ts';
import { FakeOpenenv } from '../support/openenv/fakeOpenenv.ts';
import { served, stop } from '../support/serve/served.ts';

describe('genenv doctor', function () {
  this.timeout(240_000);
  const workspace = new Workspace();
  after(() => workspace.remove());

  it('examines both endpoints of an experiment, and says so in markdown', async () => {
    const server = await served(workspace);
    const on = (model: string) => ({ kind: 'tinker', url: server.url, key: null, model });
    workspace.write('mine.genenv.json', {
      ...{ name: 'mine', preset: 'embedded', mode: 'coevolve' },
      endpoints: { agent: on('genenv/agent'), environment: on('genenv/environment') },
    });
    const { code, out, err } = await workspace.genenv('doctor', 'mine.genenv.json');
    await stop(server);
    assert.equal(code, 0, out + err);
    assert.equal(out.match(/^# Endpoint Doctor: tinker at http:\S+, model genenv\/(agent|environment)$/gm)?.length, 2);
    assert.match(out, /^- ✓ \*\*Published weights are those just trained\*\*: /m);
    assert.match(out, /0 ✗/);
  });

  it('examines an OpenEnv server by its address, and says what is missing', async () => {
    const fake = new FakeOpenenv();
    await fake.start();
    const at = [fake.url, '--kind', 'openenv', '--allow', new URL(fake.url).origin];
    const well = await workspace.genenv('doctor', ...at);
    assert.equal(well.code, 0, well.out + well.err);
    assert.match(well.out, /^# Endpoint Doctor: OpenEnv at http:\S+$/m);
    assert.match(well.out, /^- ✓ \*\*Actions\*\*: Fields: add\./m);
    fake.sessions = 1;
    const alone = await workspace.genenv('doctor', ...at);
    await fake.stop();
    assert.equal(alone.code, 1, alone.out + alone.err);
    assert.match(alone.out, /^- ✗ \*\*Sessions\*\*: .*one session/m);
  });

  it('fails where nobody answers, and refuses what is no address, kind or reference', async () => {
    const { code, out } = await workspace.genenv('doctor', 'http://127.0.0.1:9');
    assert.equal(code, 1);
    assert.match(out, /- ✗ \*\*Reached\*\*: .*ECONNREFUSED/);
    assert.match(out, /^# Endpoint Doctor: tinker at http:\S+$/m);
    assert.equal((await workspace.genenv('doctor', 'http://127.0.0.1:9', '--kind', 'x')).code, 2);
    const { err } = await workspace.genenv('doctor', 'http://127.0.0.1:9', '--key', 'tml-secret');
    assert.match(err, /\$\{env:NAME\}/);
    assert.doesNotMatch(err, /tml-secret/);
  });
});
