import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { preflight } from '../../../../src/features/preflight/node/preflight.ts';
import type { Check } from '../../../../src/features/preflight/contract.ts';
import { fromSources } from '../../../support/fromSources.ts';
import { shippedModels, TestServer } from '../../../support/serve/testServer.ts';
import { tiny } from '../../../support/tiny.ts';

describe('the checks before a run on remote endpoints', function () {
  this.timeout(240_000);
  const server = new TestServer();
  let dir = '';

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-reach-'));
    await server.start({ key: 'tml-right', models: shippedModels() });
  });
  after(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const endpoint = (role: 'agent' | 'environment') => ({
    ...{ kind: 'tinker', url: server.server.url, key: '${env:KEY}', model: `genenv/${role}`, rank: 4 },
  });

  async function check(
    over: object,
    env: Record<string, string> = { KEY: 'tml-right' },
    rest: object = {},
  ): Promise<Map<string, Check>> {
    const endpoints = { agent: { ...endpoint('agent'), ...over }, environment: endpoint('environment') };
    const checks = new Map<string, Check>();
    const updates = preflight({
      file: 'mine.genenv.json',
      text: JSON.stringify({ ...tiny, ...rest, endpoints }, null, 2),
      ...{ directory: dir, root: join(dir, 'runs'), dist: fromSources, clock: Date },
      keys: agreedKeys(env),
      log: { info: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    });
    for await (const update of updates) if ('id' in update) checks.set(update.id, update);
    return checks;
  }

  async function found(...asked: Parameters<typeof check>): Promise<{ fields: string[]; text: string }> {
    const { state, findings = [] } = (await check(...asked)).get('endpoints') ?? {};
    assert.equal(state, 'failed');
    for (const { remedy, line } of findings) assert.ok(remedy !== '' && line > 1);
    const text = findings.map(({ message, remedy }) => `${message} | ${remedy}`).join('\n');
    return { fields: findings.map(({ field }) => field), text };
  }

  it('pass where everything is there', async () => {
    const checks = await check({});
    assert.equal(checks.get('endpoints')?.state, 'passed', JSON.stringify(checks.get('endpoints')));
    assert.match(checks.get('endpoints')?.message ?? '', /Agent tinker \(trains step by step, context \d+ tokens\)/);
    assert.match(checks.get('trial')?.message ?? '', /solved \d+ of \d+ attempts/);
  });

  it('name the address that nobody answers at', async () => {
    const { fields, text } = await found({ url: 'http://127.0.0.1:9' });
    assert.deepEqual(fields, ['endpoints.agent.url']);
    assert.match(text, /^http:\/\/127\.0\.0\.1:9: .* \| Check that the server runs/);
  });

  it('name the cluster that is away, after one question', async () => {
    const jobs = {
      workdir: '/shared/genenv',
      mount: null,
      nodes: 1,
      gpus: 1,
      sampler: server.server.url,
      samplerKey: null,
    };
    const still = { agent: { klCoefficient: 0 }, environment: { klCoefficient: 0, updateKlCap: null } };
    const { fields, text } = await found({ kind: 'verl', url: 'http://127.0.0.1:9', key: null, ...jobs }, {}, still);
    assert.deepEqual(fields[0], 'endpoints.agent.url');
    assert.match(text, /^http:\/\/127\.0\.0\.1:9: GET \/api\/version: no connection \(ECONNREFUSED\)\. \|/);
  });

  it('name the model that is not served, and those that are', async () => {
    const { fields, text } = await found({ model: 'Qwen/Qwen3-8B' });
    assert.deepEqual(fields, ['endpoints.agent.model']);
    assert.match(text, /does not serve the model "Qwen\/Qwen3-8B"\. \| It serves genenv\/agent, genenv\/environment\./);
  });

  it('name the key that is missing, of both where both need it', async () => {
    const { fields, text } = await found({}, {});
    assert.deepEqual(fields, ['endpoints.agent.key', 'endpoints.environment.key']);
    assert.match(text, /^The environment variable KEY holds no key\. \| Set KEY/);
  });

  it('name the key that is refused, without repeating it', async () => {
    const { fields, text } = await found({ key: '${env:OTHER}' }, { KEY: 'tml-right', OTHER: 'tml-wrong' });
    assert.deepEqual(fields, ['endpoints.agent.key']);
    assert.match(text, /401/);
    assert.doesNotMatch(text, /tml-/);
  });

  it('name the tokenizer that is not there', async () => {
    const { fields, text } = await found({ tokenizer: join(dir, 'nothing') });
    assert.deepEqual(fields, ['endpoints.agent.tokenizer']);
    assert.match(text, /no tokenizer\.json/);
  });

  it('warn of a length that a server has no room for: answers are cut there, not refused', async () => {
    const checks = await check({}, undefined, { rollouts: { maxTokens: 5000 } });
    const { state, findings = [] } = checks.get('endpoints') ?? {};
    assert.equal(state, 'warned');
    assert.deepEqual(
      findings.map(({ field }) => field),
      ['rollouts.maxTokens'],
    );
    assert.match(findings[0]?.message ?? '', /holds 256 tokens, prompt included/);
    assert.match(checks.get('trial')?.message ?? '', /solved \d+ of \d+ attempts/);
  });
});
