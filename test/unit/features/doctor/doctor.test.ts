import assert from 'node:assert/strict';
import type { DoctorLine } from '../../../../src/endpoints/doctorLine.ts';
import { doctorItem, doctorVerdict } from '../../../../src/features/doctor/node/checks/markdown.ts';
import { examineTraining } from '../../../../src/features/doctor/node/checks/training.ts';
import type { TrainablePolicy } from '../../../../src/engine/ports.ts';
import { visit } from '../../../../src/features/doctor/node/doctor.ts';
import { visitAt } from '../../../../src/features/doctor/node/doctorVisits.ts';
import { KeyError } from '../../../../src/launch/access/keys.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { openPolicy } from '../../../../src/launch/policies/openPolicy.ts';
import { Schedulers } from '../../../../src/launch/policies/schedulers.ts';
import { machineTime, type Time } from '../../../../src/endpoints/time.ts';
import { StorekeeperDomain } from '../../../../src/benchmarks/storekeeper/domain.ts';
import { trainable } from '../../../../src/engine/loop.ts';
import type { Fault } from '../../../../src/serve/faults/faults.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { fromSources as dist } from '../../../support/fromSources.ts';
import { shippedModels, TestServer } from '../../../support/serve/testServer.ts';
import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const quiet = { info: () => undefined, warn: () => undefined };

describe('the endpoint doctor', function () {
  this.timeout(240_000);
  const server = new TestServer();
  const keys = agreedKeys({ KEY: 'tml-right', WRONG: 'tml-wrong' });

  before(() => server.start({ key: 'tml-right', models: shippedModels() }));
  after(() => server.stop());

  async function examined(key: string | null, model: string | null, time: Time = machineTime): Promise<DoctorLine[]> {
    const { endpoint, role } = await visitAt({ kind: 'tinker', url: server.server.url, key }, model, keys);
    const signal = new AbortController().signal;
    return Array.fromAsync(visit(endpoint, role, { dist, keys, log: quiet, signal, time }));
  }

  const of = (lines: readonly DoctorLine[], mark: DoctorLine['mark']): string[] =>
    lines.filter((line) => line.mark === mark).map(({ title }) => title);

  it('finds a sound server sound, and says by what', async () => {
    const lines = await examined('${env:KEY}', null);
    assert.deepEqual(of(lines, 'no'), [], JSON.stringify(lines));
    assert.ok(of(lines, 'yes').length >= 20);
    assert.match(lines.find(({ title }) => title === 'Model')?.evidence ?? '', /^"genenv\/agent" is one of 2/);
    assert.match(lines.find(({ title }) => title === 'Gradients are sums')?.evidence ?? '', /2 times as large/);
    assert.doesNotMatch(JSON.stringify(lines), /tml-/);
  });

  it('finds what it only samples sound, too', async () => {
    const { endpoint } = await visitAt(
      { kind: 'openai', url: `${server.server.url}/v1`, key: '${env:KEY}' },
      null,
      keys,
    );
    const { signal } = new AbortController();
    const lines = await Array.fromAsync(visit(endpoint, 'agent', { dist, keys, log: quiet, signal }));
    assert.deepEqual(of(lines, 'no'), [], JSON.stringify(lines));
    assert.match(lines.find(({ title }) => title === 'Stop texts')?.evidence ?? '', /Told to stop at “\w+”/);
    assert.match(lines.find(({ title }) => title === 'Tools')?.evidence ?? '', /refuses/);
    assert.doesNotMatch(JSON.stringify(lines), /tml-/);
  });

  it('stops where nothing more can be tried, with the remedy', async () => {
    for (const [key, model, title, words] of [
      ['${env:WRONG}', 'genenv/agent', 'Key', /401/],
      ['${env:ABSENT}', 'genenv/agent', 'Key', /ABSENT holds no key/],
      ['${env:KEY}', 'nobody/nothing', 'Model', /not among the 2/],
    ] as const) {
      const last = (await examined(key, model)).at(-1);
      assert.deepEqual([last?.title, last?.mark], [title, 'no']);
      assert.match(last?.evidence ?? '', words);
      assert.notEqual(last?.meaning, '');
      assert.doesNotMatch(JSON.stringify(last), /tml-/);
    }
    await assert.rejects(examined('tml-right', null), (error) => KeyError.is(error) && !/tml-/.test(error.message));
  });

  it('gets through a bad night', async () => {
    const bad: Fault[] = ['500', '429', 'drop-after', '408', 'html'];
    server.faults.set(bad.map((fault) => ({ fault, share: 0.05 })));
    try {
      assert.deepEqual(of(await examined('${env:KEY}', 'genenv/agent', new FastTime(50)), 'no'), []);
    } finally {
      server.faults.set([]);
    }
  });

  it('finds out how a server trains that differs, and what that means', async () => {
    const differing = new TestServer();
    await differing.start({ models: shippedModels(), differences: ['mean', 'fixed-adam', 'merging'] });
    try {
      const { endpoint, role } = await visitAt({ kind: 'tinker', url: differing.server.url, key: null }, null, keys);
      const { signal } = new AbortController();
      const lines = await Array.fromAsync(visit(endpoint, role, { dist, keys, log: quiet, signal }));
      assert.deepEqual(of(lines, 'no'), ['Optimiser settings'], JSON.stringify(lines));
      const said = (title: string): string => {
        const line = lines.find((one) => one.title === title);
        return `${line?.evidence ?? ''} ${line?.meaning ?? ''}`;
      };
      assert.match(said('What it does with a batch'), /It averages over the tokens of a sequence, then over sequences/);
      assert.match(said('Optimiser settings'), /Only the learning rate is applied/);
      assert.match(said('Losses between two steps'), /was taken for the first one/);
      assert.match(said('Gradients are sums'), /2 times as large/, 'as a run trains on it');
    } finally {
      await differing.stop();
    }
  });

  it('finds what a server does wrong', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'genenv-doctor-test-'));
    mkdirSync(join(dir, 'checkpoints'));
    const { signal } = new AbortController();
    const needs = { dir, dist, keys, log: quiet, signal, time: machineTime, schedulers: new Schedulers(machineTime) };
    const open = () => openPolicy({ kind: 'embedded', weights: 'agent' }, 'agent', needs);
    const sound = trainable({ policy: await open() }, 'agent');
    try {
      const domain = new StorekeeperDomain({ baseTasks: 1 });
      const [task] = domain.seeds('base');
      const prompt = domain.agentPrompt(task!);
      const example = [...prompt, { role: 'assistant' as const, content: task!.gold ?? '' }];
      const version = await sound.publish('doctor@0');
      // It climbs, averages, tells another loss for one of them, and serves what it published before.
      const wrong: TrainablePolicy = {
        capabilities: sound.capabilities,
        sample: sound.sample.bind(sound),
        score: sound.score.bind(sound),
        render: sound.render.bind(sound),
        publish: () => Promise.resolve(version),
        accumulate: async (data, loss) => {
          const each = (values: readonly number[]): number[] => values.map((value) => -value / data.length);
          const turned = data.map((datum) =>
            datum.weights === undefined ? datum : { ...datum, weights: each(datum.weights) },
          );
          const { logprobs, loss: own } = await sound.accumulate(turned, loss);
          return { logprobs, loss: own, told: loss.name === 'ppo' ? own + 1 : null };
        },
        step: sound.step.bind(sound),
        checkpoint: sound.checkpoint.bind(sound),
        restore: sound.restore.bind(sound),
        dispose: () => Promise.resolve(),
      };
      const lines = await Array.fromAsync(
        examineTraining({ policy: wrong, prompt, example, signal, reopen: open }, wrong, version),
      );
      assert.deepEqual(of(lines, 'no'), [
        'A step goes in the right direction',
        'Published weights are those just trained',
        'Loss ppo',
        'Gradients are sums',
      ]);
      assert.ok(of(lines, 'unknown').includes('Loss cispo'));
    } finally {
      await sound.dispose();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('writes what a server says as text, not as markup', () => {
    const line = { title: 'Reached', mark: 'no', evidence: '<img src=x>\n# [a](b) `c`', meaning: 'm' } as const;
    assert.equal(doctorItem(line), '- ✗ **Reached**: \\<img src=x\\> # \\[a\\](b) \\`c\\`\n  m');
    assert.match(doctorVerdict([line]), /^0 ✓, 1 ✗, 0 \?\. To fix: Reached\./);
  });
});
