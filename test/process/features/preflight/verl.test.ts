import assert from 'node:assert/strict';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { preflight } from '../../../../src/features/preflight/node/preflight.ts';
import { reach } from '../../../../src/features/preflight/node/reach.ts';
import { resolveExperiment, type JsonObject } from '../../../../src/shared/experiment/resolve.ts';
import type { Check } from '../../../../src/features/preflight/contract.ts';
import { dist } from '../../../support/built.ts';
import { VerlBench } from '../../../support/ray/bench.ts';
import { Workspace } from '../../../support/genenv.ts';

describe('the checks before a run that is trained by jobs', function () {
  this.timeout(240_000);
  const bench = new VerlBench();
  // Test sets below an experiment's folder are found: it has to be one without any.
  const own = new Workspace();
  before(() => bench.start());
  after(async () => {
    own.remove();
    await bench.stop();
  });

  /** Only the agent is trained: the environment is the shipped one. */
  const file = (over: JsonObject = {}): JsonObject => ({
    ...{ version: 1, name: 'x', preset: 'embedded', mode: 'random' },
    endpoints: { agent: { ...bench.endpoint(), ...over } },
    generation: { families: 1, variations: 2 },
    rollouts: { baseShare: 0, group: 4 },
    agent: { minibatch: 8 },
  });

  async function found(over: JsonObject): Promise<string[]> {
    const findings = await reach(resolveExperiment(file(over)), {
      dist,
      keys: agreedKeys({}),
      signal: new AbortController().signal,
    });
    return findings.map(({ severity, field, message }) => `${severity} ${field.split('.').at(-1)}: ${message}`);
  }

  it('name what is not there at the field of the one of its two servers', async () => {
    assert.deepEqual(await found({}), []);
    assert.match((await found({ sampler: 'http://127.0.0.1:9/v1' })).join(), /^error sampler: http:..127.0.0.1:9/);
    assert.match((await found({ samplerKey: '${env:NO_KEY}' })).join(), /^error samplerKey: .*NO_KEY holds no key/);
    assert.match((await found({ key: '${env:NO_KEY}' })).join(), /^error key: .*NO_KEY holds no key/);
    assert.match((await found({ model: 'llama' })).join(), /^warning model: .* does not serve the model "llama"/);
    bench.ray.token = 'secret';
    assert.match((await found({})).join(), /^error key: .*token/);
    bench.ray.token = null;
  });

  it('try one task end to end, and submit nothing', async () => {
    const checks = new Map<string, Check>();
    const updates = preflight({
      ...{ file: 'x.genenv.json', text: JSON.stringify(file()), directory: own.dir, root: own.dir, clock: Date },
      ...{ dist, keys: agreedKeys({}) },
      log: { info: () => undefined, warn: () => undefined },
      signal: new AbortController().signal,
    });
    for await (const update of updates) if (!('work' in update)) checks.set(update.id, update);
    const states = [...checks.values()].map(({ id, state, findings }) => [id, state, findings]);
    assert.deepEqual(
      states.filter(([, state]) => state !== 'passed'),
      [],
    );
    assert.match(checks.get('endpoints')?.message ?? '', /^Agent verl \(trains in jobs, context \d+ tokens\)/);
    assert.equal(bench.ray.submissions.length, 0);
  });
});
