/** A check of an experiment whose episodes an OpenEnv server plays. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preflight } from '../../../../src/features/preflight/node/preflight.ts';
import type { Check } from '../../../../src/features/preflight/contract.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { dist } from '../../../support/built.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';
import { model } from '../../../support/openai/quirks.ts';
import { FakeOpenenv } from '../../../support/openenv/fakeOpenenv.ts';

describe('a check of an experiment with an OpenEnv server', function () {
  this.timeout(120_000);
  let dir = '';
  let fake: FakeOpenenv;
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-episodes-'));
    fake = new FakeOpenenv();
    await fake.start();
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    server.says = (_, { messages = [] }) =>
      (messages.at(-1)?.content ?? '').startsWith('Write') ? { content: 'Add up to 3.' } : { content: '{"add": 1}' };
    const url = JSON.stringify(fake.url);
    await writeFile(
      join(dir, 'counter.domain.js'),
      `export const openenv = { url: ${url}, seconds: 5 };
       export const seeds = (split) => (split === 'base' ? [1, 2, 3] : [9]).map((seed) => ({ prompt: 'Add up to 3: ' + seed, reset: { seed } }));
       export const environmentPrompt = () => 'Write a task.';
       export const parse = (text) => ({ prompt: text, reset: { seed: 5 } });`,
    );
  });
  afterEach(async () => {
    await server.stop();
    await fake.stop();
    await rm(dir, { recursive: true, force: true });
  });

  async function endpoints(): Promise<Check> {
    const endpoint = { kind: 'openai', url: server.url, model };
    const experiment = {
      ...{ preset: 'default', name: 'own', mode: 'random', domain: { file: 'counter.domain.js' } },
      ...{ endpoints: { agent: endpoint, environment: endpoint }, agent: { train: false } },
      ...{ rollouts: { maxTurns: 6 }, validation: { every: 0 } },
    };
    let found: Check | null = null;
    const updates = preflight({
      ...{ file: join(dir, 'own.genenv.json'), text: JSON.stringify(experiment), directory: dir, root: dir, dist },
      ...{ clock: { now: () => Date.now() }, keys: agreedKeys({}), signal: new AbortController().signal },
      log: { info: () => undefined, warn: () => undefined },
    });
    for await (const update of updates) if ('id' in update && update.id === 'endpoints') found = update;
    return found ?? assert.fail('endpoints are checked');
  }

  it('names the server, what it serves and how many episodes there may be at once', async () => {
    const { state, message, findings } = await endpoints();
    assert.deepEqual([state, findings], ['passed', []]);
    assert.match(message, /OpenEnv at http:\S+\. counter.* Fields: add\. .*Two were open at once\./);
    assert.ok(fake.resets.length >= 2);
    assert.deepEqual(fake.resets.slice(0, 2), [{ seed: 1 }, { seed: 1 }]);
  });

  it('warns at the domain file where one session is all there is', async () => {
    fake.sessions = 1;
    const { state, findings } = await endpoints();
    assert.equal(state, 'warned');
    const [finding] = findings;
    assert.equal(finding?.field, 'domain.file');
    assert.match(finding.message, /full with one session/);
    assert.match(finding.remedy, /max_concurrent_envs/);
  });
});
