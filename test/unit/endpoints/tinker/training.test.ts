import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Loss } from '../../../../src/engine/ports.ts';
import { Ledger } from '../../../../src/endpoints/tinker/ledger.ts';
import { fromWire, lossOf } from '../../../../src/endpoints/tinker/shift.ts';
import { toWire } from '../../../../src/shared/tinker/datum.ts';

const close = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual}`);

describe('tinker: the one-token shift', () => {
  it('scores every token but the first on what was read before it', () => {
    const wire = toWire({
      tokens: [10, 11, 12, 20, 21],
      logprobs: [0, 0, 0, -0.1, -0.7],
      advantages: [0, 0, 0, 0.5, 0.5],
    });
    assert.deepEqual(wire, {
      tokens: [10, 11, 12, 20],
      inputs: { target_tokens: [11, 12, 20, 21], logprobs: [0, 0, -0.1, -0.7], advantages: [0, 0, 0.5, 0.5] },
    });
    assert.deepEqual(fromWire([-1, -2]), [0, -1, -2]);
  });

  it('sums the losses as the protocol’s check vectors say', () => {
    const logprobs = [0, -0.5, -1, -2, -0.25];
    const policy = { tokens: [1, 2, 3, 4, 5], logprobs: [0, 0, -1.2, -1.5, -0.25], advantages: [0, 0, 1, -1, 2] };
    const clip = { clipLow: 0.8, clipHigh: 1.2 };
    const value = (loss: Loss) => lossOf(loss, policy, logprobs);
    close(lossOf({ name: 'cross_entropy' }, { tokens: policy.tokens, weights: [0, 0, 1, 1, 0.5] }, logprobs), 3.125);
    close(value({ name: 'importance_sampling' }), -2.614872);
    close(value({ name: 'ppo', ...clip }), -2.4);
    close(value({ name: 'cispo', ...clip }), 0.1);
  });
});

describe('tinker: what a policy has on its server', () => {
  it('is found again from the file, but for a line that a crash tore', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'genenv-ledger-'));
    const path = join(folder, 'tinker', 'agent.jsonl');
    try {
      const first = await Ledger.open(path);
      assert.equal(first.session, null);
      await first.add({ type: 'session', id: 's1' });
      await first.add({ type: 'model', session: 's1', id: 'm1', from: 'base:x', seq: 0 });
      await first.add({ type: 'published', name: 'agent@1', handle: 'tinker://m1/sampler_weights/agent-1-5' });
      await first.add({
        type: 'checkpoint',
        model: 'm1',
        name: 'agent@1',
        handle: 'tinker://m1/weights/agent-1-6',
        seq: 6,
      });
      assert.equal(await first.nextSampling('s1'), 0);
      assert.equal(await first.nextSampling('s1'), 1);
      await appendFile(path, '{"type":"checkpoint","mod');

      const again = await Ledger.open(path);
      assert.equal(await again.nextSampling('s1'), 2);
      assert.equal(await again.nextSampling('s2'), 0);
      assert.equal(again.session, 's1');
      assert.equal(again.modelsOf('s1'), 1);
      assert.deepEqual(again.modelAt('tinker://m1/weights/agent-1-6'), { model: 'm1', seq: 6 });
      assert.deepEqual(again.modelAt('base:x'), { model: 'm1', seq: 0 });
      assert.equal(again.modelAt('tinker://other'), null);
      assert.equal(again.publishedAs('agent@1'), 'tinker://m1/sampler_weights/agent-1-5');
      await again.add({ type: 'session', id: 's2' });
      const last = await Ledger.open(path);
      assert.deepEqual([last.session, last.modelsOf('s1')], ['s2', 1]);
      await appendFile(path, '{"type":"model"}\n');
      await assert.rejects(Ledger.open(path), /agent\.jsonl:\d+: /);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
