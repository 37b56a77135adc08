import assert from 'node:assert/strict';
import { Rng } from '../../../../src/engine/random.ts';
import { falseAlarms, listed, RareTokens } from '../../../../src/features/doctor/core/rareTokens.ts';
import { rareTokens } from '../../../../src/features/doctor/node/checks/rareTokens.ts';
import { wholeDistribution } from '../../../../src/features/doctor/node/checks/wholeDistribution.ts';
import { addressesOf } from '../../../../src/endpoints/openai/address.ts';
import { probe } from '../../../../src/endpoints/openai/probe.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { draw, type Cutting, type Model } from '../../../support/openai/drawing.ts';
import { FakeServer, type Kind } from '../../../support/openai/fakeServer.ts';

const quiet = { info: () => undefined, warn: () => undefined };
const model: Model = { vocabulary: 400, sharpness: [1.3, 2.2, 3] };
/** Of a model that is sure of its answers: about one token in fifty is rare. */
const sure: Model = { vocabulary: 400, sharpness: [3] };

describe('rare tokens', () => {
  const after = (tokens: number, of: Model, cutting: Cutting | null, seed: number, round = 64): RareTokens => {
    const found = new RareTokens();
    const rng = Rng.from('rare', seed);
    // As the doctor does: it stops as soon as it knows.
    for (let i = 0; i < tokens && !found.cut && !found.whole; i += round) {
      for (const place of draw(of, { temperature: 1, tokens: round, likeliest: listed }, cutting, rng))
        found.add(place);
    }
    return found;
  };

  it('are missed from every server that cuts, by min_p or by top_p', () => {
    const cuttings: Cutting[] = [
      { minP: 0.1, when: 'after' },
      { minP: 0.05, when: 'after' },
      { minP: 0.02, when: 'after' },
      { topP: 0.95, when: 'after' },
      { topP: 0.9, when: 'after' },
      { topP: 0.8, when: 'after' },
      { minP: 0.05, topP: 0.95, when: 'after' },
    ];
    for (const cutting of cuttings) {
      const found = Array.from({ length: 50 }, (_, seed) => after(2048, model, cutting, seed));
      assert.deepEqual(
        found.filter(({ cut }) => !cut),
        [],
        JSON.stringify(cutting),
      );
    }
  });

  it('are missed by chance from fewer servers than is stated, though one looks again after each round', () => {
    for (const [of, servers, least] of [
      [model, 200, 1],
      [sure, 200, 0.9],
      [{ vocabulary: 400, sharpness: [0] }, 20, 0],
    ] as const) {
      const found = Array.from({ length: servers }, (_, seed) => after(2048, of, null, seed));
      const alarms = found.filter(({ cut }) => cut).length;
      // More than 2 of 200 with such a chance each are one case in 900.
      assert(alarms <= 2, `${alarms} of ${servers} at ${JSON.stringify(of)}, stated ${servers * falseAlarms}`);
      const known = found.filter(({ whole }) => whole).length;
      assert(known >= servers * least, `${known} of ${servers} known to be whole at ${JSON.stringify(of)}`);
    }
  });

  it('say as much with log-probabilities of 16 bits', () => {
    const rounded = (value: number, noise: number) => value + 0.06 * (noise - 0.5);
    const alarms = Array.from({ length: 100 }, (_, seed) => {
      const [found, rng] = [new RareTokens(), Rng.from('rounded', seed)];
      for (const { logprob, likeliest } of draw(sure, { temperature: 1, tokens: 2048, likeliest: listed }, null, rng)) {
        found.add({
          logprob: rounded(logprob, rng.next()),
          likeliest: likeliest.map((one) => rounded(one, rng.next())),
        });
      }
      return found.cut;
    }).filter(Boolean).length;
    assert(alarms <= 1, `${alarms} of 100`);
  });

  it('are not judged where lists are too short or the model leaves no choice', () => {
    const short = new RareTokens();
    short.add({ logprob: -1, likeliest: [-1, -2, -3, -4, -5] });
    assert.equal(short.places, 0);
    const only = after(2048, { vocabulary: 400, sharpness: [12] }, null, 1);
    assert.deepEqual([only.cut, only.whole], [false, false]);
  });

  it('are known to be left out where a server says so', () => {
    const found = new RareTokens();
    found.add({ logprob: -0.1, likeliest: [-0.1, -2.4, ...Array.from({ length: 18 }, () => -9999)] });
    assert.deepEqual([found.cut, found.whole, found.barred], [true, false, 1]);
  });

  it('are the same whether a server puts the sampled token into the list instead of its last', () => {
    const list = Array.from({ length: 20 }, (_, i) => -1 - i / 2);
    const [beside, instead] = [new RareTokens(), new RareTokens()];
    for (let i = 0; i < 40; i++) {
      beside.add({ logprob: -14, likeliest: list });
      instead.add({ logprob: -14, likeliest: [-14, ...list.slice(0, 19)] });
    }
    assert.deepEqual(beside.clearest, instead.clearest);
    assert.equal(beside.evidence, instead.evidence);
  });
});

describe('the endpoint doctor at a server that cuts', function () {
  this.timeout(60_000);

  const visited = async (kind: Kind, cutting: Cutting | null, prepare?: (server: FakeServer) => void) => {
    const server = new FakeServer(kind);
    server.context = 4096;
    server.draws = { model, cutting };
    prepare?.(server);
    await server.start();
    const { signal } = new AbortController();
    const connection = openaiConnection(addressesOf(server.url)[0], null, environmentKeys({}), {
      time: new FastTime(1000),
    });
    try {
      const facts = await probe([connection], 'qwen', null, quiet, signal);
      const prompt = [{ role: 'user' as const, content: 'Which?' }];
      const subject = { facts, connection, tokens: null, prompt, example: prompt, signal };
      const flat = await wholeDistribution(subject);
      const before = server.bodies.length;
      const rare = await rareTokens(subject);
      return { flat, rare, requests: server.bodies.length - before };
    } finally {
      connection.http.close();
      await server.stop();
    }
  };

  for (const kind of ['vllm', 'llama.cpp'] as const) {
    it(`finds a min_p of ${kind} before the temperature by both lines`, async () => {
      const { flat, rare } = await visited(kind, { minP: 0.05, when: 'before' });
      assert.deepEqual([flat.mark, rare.mark], ['no', 'no'], `${flat.evidence}\n${rare.evidence}`);
    });

    it(`finds a min_p of ${kind} after the temperature, in one round`, async () => {
      const { flat, rare, requests } = await visited(kind, { minP: 0.05, when: 'after' });
      assert.deepEqual([flat.mark, rare.mark], ['yes', 'no'], `${flat.evidence}\n${rare.evidence}`);
      assert.match(rare.evidence, /should have had less than 1\/(11|22) of it; none was drawn\. .*1 of 1000 cases/);
      assert.equal(requests, 8);
    });

    it(`finds a top_p of ${kind} after the temperature`, async () => {
      const { flat, rare } = await visited(kind, { topP: 0.9, when: 'after' });
      assert.deepEqual([flat.mark, rare.mark], ['yes', 'no'], `${flat.evidence}\n${rare.evidence}`);
    });

    it(`finds nothing at ${kind} without one`, async () => {
      const { flat, rare, requests } = await visited(kind, null);
      assert.deepEqual([flat.mark, rare.mark], ['yes', 'yes'], `${flat.evidence}\n${rare.evidence}`);
      assert.match(rare.meaning, /No min_p of 0\.01 or more and no top_p of 0\.98 or less/);
      assert.equal(requests, 8);
    });
  }

  it('says that it cannot tell where no likeliest tokens are listed, after one round', async () => {
    const { rare, requests } = await visited('ollama', { minP: 0.05, when: 'after' }, (server) => {
      server.draws = null;
    });
    assert.deepEqual([rare.mark, requests], ['unknown', 8]);
    assert.match(rare.meaning, /not seen/);
  });

  it('says that it cannot tell where the request is refused', async () => {
    const server = new FakeServer('llama.cpp');
    await server.start();
    const { signal } = new AbortController();
    const connection = openaiConnection(addressesOf(server.url)[0], null, environmentKeys({}), {
      time: new FastTime(1000),
    });
    const facts = await probe([connection], 'qwen', null, quiet, signal);
    server.broken = 400;
    const rare = await rareTokens({ facts, connection, tokens: null, prompt: [], example: [], signal });
    connection.http.close();
    await server.stop();
    assert.equal(rare.mark, 'unknown');
    assert.match(rare.evidence, /it refuses or fails/);
  });

  it('does not take one answer that comes again and again for many', async () => {
    const { rare } = await visited('llama.cpp', null, (server) => {
      server.draws = { model, cutting: null, seed: 3 };
    });
    assert.notEqual(rare.mark, 'no', rare.evidence);
  });
});
