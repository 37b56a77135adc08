import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndAsked } from '../../../src/engine/errors.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { stopJobs } from '../../../src/launch/policies/stopJobs.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import { VerlBench } from '../../support/ray/bench.ts';
import { agentJob } from '../../support/ray/jobs.ts';
import { until } from '../../support/until.ts';

describe('stopping what a paused run left on its cluster', function () {
  this.timeout(240_000);
  const bench = new VerlBench();
  const said: string[] = [];
  const log = { info: (text: string) => void said.push(text), warn: (text: string) => void said.push(text) };

  beforeEach(async () => {
    said.length = 0;
    await bench.start();
  });
  afterEach(() => bench.stop());

  const stop = (): Promise<void> => {
    const { endpoints } = presets.embedded;
    const experiment = { endpoints: { ...endpoints, agent: bench.endpoint() } };
    return stopJobs(join(tmpdir(), bench.run), experiment, agreedKeys({}), log);
  };

  it('ends the job, which is submitted anew when the run is resumed after all', async () => {
    await stop();
    assert.deepEqual(said, [], 'nothing was begun, so nothing is asked');
    const policy = await bench.open();
    bench.cluster.holdJobs();
    const leaving = new AbortController();
    const running = policy.runJob(agentJob(), leaving.signal);
    const left = assert.rejects(running);
    const folder = join(bench.cluster.workdir, bench.run, 'e1-agent');
    await until('the submission', () => bench.ray.jobs.size === 1);
    await until('the job to begin', () => readdirSync(folder).includes('alive'));
    leaving.abort(new EndAsked('paused', 'Paused.'));
    await left;
    const states = () => [...bench.ray.jobs.values()].map(({ status }) => status);
    assert.deepEqual(states(), ['RUNNING']);

    await stop();
    assert.deepEqual(states(), ['STOPPED']);
    assert.match(said.join(), /: stopped job genenv-\S+-e1-agent\.$/);
    await stop();
    assert.equal(said.length, 1, 'what is over is not asked for again');

    bench.cluster.letGo();
    const resumed = await bench.open();
    const outcome = await resumed.runJob(agentJob(), new AbortController().signal);
    assert.match(outcome.id, /e1-agent\.2$/);
    assert.equal(bench.ray.jobs.size, 2);
  });
});
