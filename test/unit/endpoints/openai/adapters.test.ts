import assert from 'node:assert/strict';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { Adapters, type Adapter } from '../../../../src/endpoints/openai/adapters/adapters.ts';
import { addressesOf } from '../../../../src/endpoints/openai/address.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import type { FakeAdapters } from '../../../support/openai/fakeAdapters.ts';
import { FakeServer, type Kind } from '../../../support/openai/fakeServer.ts';

const version = (n: number, over: Partial<Adapter> = {}): Adapter => ({
  ...{ name: `run-agent-${n}`, path: `/srv/run/agent-${n}`, trained: true },
  ...over,
});

describe('LoRA adapters of a running server', () => {
  const never = new AbortController().signal;
  const servers: FakeServer[] = [];
  const closing: (() => void)[] = [];
  const said: string[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0)) close();
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    said.length = 0;
  });

  /** A server with versions 0 … 9 on its disk; version n moves logprobs by n / 100. */
  async function start(kind: Kind): Promise<FakeServer> {
    const server = await new FakeServer(kind).start();
    servers.push(server);
    for (let n = 0; n < 10; n++) server.adapters?.disk.set(version(n).path, n / 100);
    return server;
  }

  function open(url: string, keep?: number): Promise<Adapters> {
    const time = new FastTime(1000);
    const connections = addressesOf(url).map((address) =>
      openaiConnection(address, null, environmentKeys({}), { time }),
    );
    closing.push(() => connections.forEach(({ http }) => http.close()));
    const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };
    const rest = keep === undefined ? {} : { keep };
    return Adapters.open({ connections, base: 'qwen', family: 'run-agent-', log, time, ...rest }, never);
  }

  const adaptersOf = ({ adapters }: FakeServer): FakeAdapters => adapters ?? assert.fail('It takes adapters.');

  const fails = (reason: string, words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof EndpointError, String(error));
    assert.equal(error.reason, reason);
    assert.match(error.message, words);
    return true;
  };

  for (const [kind, model] of [
    ['vllm', 'run-agent-1'],
    ['sglang', 'qwen:run-agent-1'],
  ] as const) {
    describe(`on ${kind}`, () => {
      it('are loaded, listed, and seen to be applied', async () => {
        const server = await start(kind);
        const adapters = await open(server.url);
        const { moved, model: asked } = await adapters.publish(version(1), never);
        assert.equal(asked, model);
        assert.ok(moved !== null && Math.abs(moved - 0.01) < 1e-9);
        assert.deepEqual([...adaptersOf(server).loaded], [['run-agent-1', '/srv/run/agent-1']]);
      });

      it('are loaded once, whoever asks again', async () => {
        const server = await start(kind);
        await (await open(server.url)).publish(version(1), never);
        await (await open(server.url)).publish(version(1), never);
        assert.deepEqual(adaptersOf(server).asked, ['load run-agent-1']);
      });

      it('are loaded again after the server was started anew', async () => {
        const server = await start(kind);
        const adapters = await open(server.url);
        await adapters.publish(version(1), never);
        adaptersOf(server).loaded.clear();
        adaptersOf(server).disk.set('/srv/run/agent-1', 0);
        await assert.rejects(adapters.publish(version(1), never), fails('failed', /answers as the base/));
        assert.deepEqual(adaptersOf(server).asked, ['load run-agent-1', 'load run-agent-1']);
      });

      it('are there when only the answer was lost', async () => {
        const server = await start(kind);
        adaptersOf(server).loseAnswer = true;
        await (await open(server.url)).publish(version(1), never);
        assert.deepEqual([...adaptersOf(server).loaded.keys()], ['run-agent-1']);
      });

      it('replace what the same name had before', async () => {
        const server = await start(kind);
        const adapters = await open(server.url);
        await adapters.publish(version(1), never);
        await adapters.publish(version(1, { path: '/srv/run/agent-2' }), never);
        assert.deepEqual([...adaptersOf(server).loaded], [['run-agent-1', '/srv/run/agent-2']]);
      });

      it('make room: the newest of the family stay, and what is not of it', async () => {
        const server = await start(kind);
        adaptersOf(server).loaded.set('somebody-else', '/srv/run/agent-9');
        const adapters = await open(server.url, 2);
        for (const n of [1, 2, 3, 4]) await adapters.publish(version(n), never);
        assert.deepEqual([...adaptersOf(server).loaded.keys()], ['somebody-else', 'run-agent-3', 'run-agent-4']);
      });

      it('may come late to a shared folder, and not for ever', async () => {
        const server = await start(kind);
        const adapters = await open(server.url);
        adaptersOf(server).late = 3;
        await adapters.publish(version(1), never);
        assert.ok(adaptersOf(server).loaded.has('run-agent-1'));
        await assert.rejects(
          adapters.publish(version(12), never),
          fails('refused', /did not take the adapter run-agent-12.*on the server’s own disk.*\/srv\/run\/agent-12/),
        );
      });

      it('that change nothing are refused, and name the usual cause', async () => {
        const server = await start(kind);
        const adapters = await open(server.url);
        await assert.rejects(
          adapters.publish(version(0), never),
          fails('failed', /answers as the base model qwen does.*lora_alpha may be 0/),
        );
        assert.equal((await adapters.publish(version(0, { trained: false }), never)).moved, 0);
      });

      it('that are not really there are not believed in', async () => {
        const server = await start(kind);
        adaptersOf(server).lies = true;
        const adapters = await open(server.url);
        await assert.rejects(
          adapters.publish(version(1), never),
          fails('failed', /took the adapter .* does not list it/),
        );
      });
    });
  }

  it('go to every replica', async () => {
    const [one, other] = [await start('vllm'), await start('vllm')];
    await (await open(`${one.url} ${other.url}`)).publish(version(1), never);
    for (const server of [one, other]) assert.deepEqual([...adaptersOf(server).loaded.keys()], ['run-agent-1']);
  });

  it('say how the server must be started', async () => {
    const vllm = await start('vllm');
    adaptersOf(vllm).runtime = false;
    await assert.rejects(open(vllm.url), fails('unable', /--enable-lora.*VLLM_ALLOW_RUNTIME_LORA_UPDATING=True/));
    const sglang = await start('sglang');
    adaptersOf(sglang).runtime = false;
    await assert.rejects(
      (await open(sglang.url)).publish(version(1), never),
      fails('refused', /LoRA is not enabled.*Start SGLang with --enable-lora/),
    );
    await assert.rejects(
      open((await start('llama.cpp')).url),
      fails('unable', /takes no adapters while it runs.*vLLM or SGLang/),
    );
  });

  it('say what does not fit', async () => {
    const server = await start('vllm');
    const adapters = await open(server.url);
    adaptersOf(server).refuses = 'LoRA rank 64 is greater than max_lora_rank 16.';
    await assert.rejects(adapters.publish(version(1), never), fails('refused', /larger --max-lora-rank/));
    adaptersOf(server).refuses = 'target_modules: embed_tokens is not supported';
    await assert.rejects(adapters.publish(version(1), never), fails('refused', /train without them/));
  });
});
