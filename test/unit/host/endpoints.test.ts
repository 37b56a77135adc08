import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { ServerWatch } from '../../../src/features/endpoints/host/serverWatch.ts';
import { shownServers, usedServers, type User } from '../../../src/host/servers/usedEndpoints.ts';
import { isAt, isWatchable } from '../../../src/launch/access/address.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import type { EndpointLook } from '../../../src/launch/policies/lookAt.ts';
import { endpointDefaults } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';

const embedded = presets.embedded.endpoints;
const at = (url: string, model: string, key: string | null = null) => ({ ...endpointDefaults.tinker, url, model, key });

describe('servers that experiments and runs use', () => {
  it('are listed once, with their models, their users and a key that any of them has', () => {
    const file: User = {
      kind: 'file',
      id: 'a',
      endpoints: { agent: at('http://gpu:8000/', 'm'), environment: at('http://gpu:8000', 'n') },
    };
    const run: User = {
      kind: 'run',
      id: 'b',
      endpoints: { agent: at('http://gpu:8000', 'm', '${env:KEY}'), environment: embedded.environment },
    };
    const other: User = { kind: 'run', id: 'c', endpoints: embedded };
    const servers = usedServers([file, run, other]);
    assert.deepEqual(
      servers.map(({ text, models, users, address }) => [text, models, users.map(({ id }) => id), address.key]),
      [['http://gpu:8000', ['m', 'n'], ['a', 'b'], '${env:KEY}']],
    );
  });

  it('are told apart by path, and named without what is secret', () => {
    const endpoints = { agent: at('http://me:secret@gpu/a?k=1', 'm'), environment: at('http://gpu/b', 'm') };
    const texts = usedServers([{ kind: 'run', id: 'r', endpoints }]).map(({ text }) => text);
    assert.deepEqual(texts, ['http://gpu/a', 'http://gpu/b']);
  });
});

describe('a trainer of jobs', () => {
  const jobs = {
    ...endpointDefaults.verl,
    url: 'http://ray:8265',
    sampler: 'http://gpu:8000/v1',
    samplerKey: '${env:S}',
  };

  it('is listed with the server that samples beside it', () => {
    const endpoints = { agent: jobs, environment: { ...jobs, url: 'ssh://me@box:22' } };
    const servers = usedServers([{ kind: 'run', id: 'r', endpoints }]);
    assert.deepEqual(
      servers.map(({ text, address }) => [address.kind, text, address.key, isWatchable(address)]),
      [
        ['openai', 'http://gpu:8000/v1', '${env:S}', true],
        ['verl', 'http://ray:8265', null, true],
        ['verl', 'ssh://box:22', null, false],
      ],
    );
    const local = usedServers([
      { kind: 'run', id: 'r', endpoints: { agent: { ...jobs, url: 'local:' }, environment: jobs } },
    ]);
    assert.ok(local.some(({ text }) => text === 'local:'));
  });

  it('is known by its errors, with the user that SSH is told', () => {
    assert.ok(isAt('ssh://me@box', 'ssh://me@box') && isAt('local:', 'local:'));
    assert.ok(!isAt('ssh://me@box', 'ssh://me@other'));
  });
});

describe('servers of the Endpoints view', () => {
  const gpu = { index: 0, name: 'my GPU', endpoint: at('http://gpu:8000', 'm', '${secret:gpu}') };
  const other = { index: 2, name: 'other', endpoint: at('http://gpu:8000/', 'n') };
  const user: User = {
    kind: 'file',
    id: 'a',
    endpoints: { agent: at('http://gpu:8000', 'm'), environment: at('http://box:1', 'm') },
  };

  it('are the remembered ones in their order, with who uses them, then what is used beside them', () => {
    const servers = shownServers([user], [other, gpu]);
    assert.deepEqual(
      servers.map(({ id, models, users, address, remembered }) => [
        id,
        models,
        users.length,
        address.key,
        remembered?.index,
      ]),
      [
        ['named other', ['n'], 1, null, 2],
        ['named my GPU', ['m'], 1, '${secret:gpu}', 0],
        ['tinker http://box:1', ['m'], 1, null, undefined],
      ],
    );
  });

  it('stay where nobody uses them, and are only covered by their own kind', () => {
    assert.deepEqual(
      shownServers([], [gpu]).map(({ id, users }) => [id, users.length]),
      [['named my GPU', 0]],
    );
    const chat = { ...gpu, endpoint: { ...endpointDefaults.openai, url: 'http://gpu:8000 http://box:1' } };
    const ids = shownServers([user], [chat]).map(({ id }) => id);
    assert.deepEqual(ids, ['named my GPU', 'tinker http://box:1', 'tinker http://gpu:8000']);
  });
});

describe('watching servers', () => {
  const told: EndpointLook = { models: [{ name: 'm', context: 10 }], deterministic: null, load: null, about: null };
  const server = { id: 's', address: { kind: 'tinker', url: 'http://gpu', key: null } as const };

  function watching(answers: (EndpointLook | Error)[]) {
    const changes: string[] = [];
    let asked = 0;
    const watch = new ServerWatch({
      look: () => {
        const answer = answers[Math.min(asked++, answers.length - 1)];
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? told);
      },
      keys: environmentKeys({}),
      now: () => 0,
      onChange: (id) => changes.push(id),
      pause: 3_600_000,
    });
    return { watch, changes, asked: () => asked };
  }

  it('looks at once at what is new, tells what changed, and rests when nobody looks', async () => {
    const { watch, changes, asked } = watching([told]);
    watch.watch([server]);
    watch.watch([server]);
    await soon();
    assert.deepEqual([changes, asked()], [['s'], 1]);
    assert.deepEqual(watch.sight('s')?.look, told);
    await watch.refresh('s');
    assert.deepEqual([changes, asked()], [['s'], 2], 'the same answer is no change');
    watch.watch([]);
    await watch.refresh('s');
    assert.equal(asked(), 2);
    assert.deepEqual(watch.sight('s')?.look, told, 'what was seen is kept');
  });

  it('keeps what was told before it failed', async () => {
    const { watch, changes } = watching([told, new Error('away'), told]);
    watch.watch([server]);
    await soon();
    await watch.refresh('s');
    assert.equal(watch.sight('s')?.error?.message, 'away');
    assert.deepEqual(watch.sight('s')?.look, told);
    await watch.refresh('s');
    assert.equal(watch.sight('s')?.error, null);
    assert.equal(changes.length, 3);
    watch.stop();
  });
});
