/** A study in one process: it waits for a server that is away, and looks for all keys before its first run. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Time } from '../../../../src/endpoints/time.ts';
import { openStudy } from '../../../../src/features/study/node/openStudy.ts';
import { runStudy, type RunStudy } from '../../../../src/features/study/node/runStudy.ts';
import { environmentKeys, KeyError } from '../../../../src/launch/access/keys.ts';
import { RunStore } from '../../../../src/runs/store/runStore.ts';
import { dist } from '../../../support/built.ts';
import { FakeServer } from '../../../support/openai/fakeServer.ts';
import { model } from '../../../support/openai/quirks.ts';

const clock = { now: () => Date.now() };
const log = { info: () => undefined, warn: () => undefined };
/** A second is 2 ms. */
const hurried: Time = {
  now: () => performance.now() * 500,
  after(milliseconds, ring) {
    const timer = setTimeout(ring, milliseconds / 500);
    return () => clearTimeout(timer);
  },
};

const tasks = (...ids: string[]): string =>
  ids
    .map((id) => {
      const evaluation = { kind: 'number', absolute: 0, relative: 0, answer: { kind: 'text' } };
      return JSON.stringify({ id, prompt: [{ role: 'user', content: `say ${id}` }], evaluation, gold: '1' });
    })
    .join('\n');

describe('A study in one process', function () {
  this.timeout(120_000);
  let dir = '';
  let server: FakeServer;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-waits-'));
    server = new FakeServer('vllm');
    server.context = 1_000_000;
    await server.start();
    await writeFile(join(dir, 'seeds.jsonl'), tasks('a', 'b', 'd', 'e'));
    await writeFile(join(dir, 'held.jsonl'), tasks('c'));
  });
  afterEach(async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  });

  const store = (): RunStore => new RunStore(join(dir, 'runs'), { clock, log, version: 'test' });

  async function study(arms: object, more: Partial<RunStudy> = {}) {
    const base = {
      ...{ version: 1, preset: 'default', mode: 'offline', agent: { train: false } },
      domain: { seeds: 'seeds.jsonl', heldOut: 'held.jsonl' },
      generation: { offlineFile: 'seeds.jsonl', families: 2, variations: 1 },
      ...{ rollouts: { group: 2 }, validation: { tasks: 1, every: 1 } },
      endpoints: { agent: { kind: 'openai', url: server.url, model } },
    };
    const made = { version: 1, name: 's', base: 'b.genenv.json', arms, seeds: [1], budget: { rollouts: 8 } };
    await writeFile(join(dir, 'b.genenv.json'), JSON.stringify(base));
    await writeFile(join(dir, 's.study.json'), JSON.stringify({ ...made, measures: [{ kind: 'validation' }] }));
    return runStudy({
      ...{ study: await openStudy(dir, 's.study.json'), store: store(), dist, clock, time: hurried, log },
      ...{ keys: environmentKeys({}), parallel: 1, signal: new AbortController().signal, ...more },
    });
  }

  it('waits for a server that is away, longer each time, and tells it', async () => {
    const waits: string[] = [];
    server.broken = 503;
    const landing = await study(
      { a: {}, b: { 'rollouts.temperature': 0.5 } },
      {
        onWaiting: ({ name }, { milliseconds, why }) => {
          waits.push(`${name}: ${milliseconds / 1000}`);
          assert.match(why, /503/);
          if (waits.length === 3) server.broken = null;
        },
      },
    );
    assert.deepEqual([landing.state, landing.failures.map(({ error }) => error.message)], ['finished', []]);
    assert.deepEqual(waits, ['a · seed 1: 15', 'a · seed 1: 30', 'a · seed 1: 60']);
    const runs = await store().list();
    assert.deepEqual(
      runs.map(({ state }) => state),
      ['finished', 'finished'],
    );
  });

  it('pauses at once while it waits', async () => {
    server.broken = 503;
    const controller = new AbortController();
    const landing = await study(
      { a: {}, b: { 'rollouts.temperature': 0.5 } },
      { signal: controller.signal, onWaiting: () => controller.abort(new Error('enough')) },
    );
    assert.deepEqual(landing, { state: 'paused', failures: [] });
    const { length } = await store().list();
    assert.equal(length, 1);
  });

  it('names every key that its runs lack before the first of them is made', async () => {
    const arm = (name: string) => ({ 'endpoints.agent.key': `\${env:${name}}` });
    const permits = ['FIRST', 'LAST'].map((name) => ({ key: `\${env:${name}}`, origin: new URL(server.url).origin }));
    const arms = { a: {}, b: arm('FIRST'), c: arm('LAST') };
    await assert.rejects(study(arms, { keys: environmentKeys({}, permits) }), (error) => {
      assert.ok(KeyError.is(error, 'missing'));
      assert.match(error.message, /lack 2 keys or consents\. .* FIRST holds no key\. .* LAST holds no key\./);
      return true;
    });
    await assert.rejects(
      study(arms, { keys: environmentKeys({ FIRST: 'x' }, permits) }),
      /^KeyError: .* LAST holds no key/,
    );
    assert.deepEqual([await store().list(), server.bodies], [[], []]);
    const execute: RunStudy['execute'] = ({ onRun }) => {
      onRun('none');
      return Promise.reject(new Error('It is the queue that looks for keys.'));
    };
    const landing = await study(arms, { keys: environmentKeys({}, permits), execute });
    assert.equal(landing.failures.length, 3);
  });
});
