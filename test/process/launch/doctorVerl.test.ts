import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DoctorLine } from '../../../src/endpoints/doctorLine.ts';
import { visit } from '../../../src/features/doctor/node/doctor.ts';
import { visitsAtCluster } from '../../../src/features/doctor/node/doctorVisits.ts';
import { agreedKeys } from '../../support/agreedKeys.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';
import type { VerlEndpoint } from '../../../src/shared/experiment/endpoints/endpoint.ts';
import { FastTime } from '../../support/endpoints/fastTime.ts';
import { VerlBench } from '../../support/ray/bench.ts';

describe('the endpoint doctor at a cluster of verl', function () {
  this.timeout(240_000);
  const bench = new VerlBench();
  before(() => bench.start());
  after(() => bench.stop());

  function examined(over: Partial<VerlEndpoint> = {}): Promise<DoctorLine[]> {
    const options = {
      ...{ dist: new URL('file:///'), keys: agreedKeys({ TOKEN: 'right' }), time: new FastTime(20) },
      ...{ log: { info: () => undefined, warn: () => undefined }, signal: new AbortController().signal },
    };
    return Array.fromAsync(visit(bench.endpoint(over), 'agent', options));
  }
  const marks = (lines: readonly DoctorLine[]): Record<string, string> =>
    Object.fromEntries(lines.map(({ title, mark }) => [title, mark]));
  const evidence = (lines: readonly DoctorLine[], title: string): string =>
    lines.find((line) => line.title === title)?.evidence ?? '';

  it('sends a job that trains nothing, reads what it found, and sees to the sampler', async () => {
    const lines = await examined();
    const { Cluster, Jobs, Folder, verl, GPUs, ...others } = marks(lines);
    assert.deepEqual({ Cluster, Jobs, Folder, verl }, { Cluster: 'yes', Jobs: 'yes', Folder: 'yes', verl: 'unknown' });
    assert.match(evidence(lines, 'Cluster'), /^Ray \d+\.\d+\.\d+, after \d+ ms\.$/);
    assert.match(evidence(lines, 'verl'), /^verl .+ with Python 3\.\d+\.\d+\.$/);
    assert.ok(GPUs !== undefined);
    assert.ok(
      Object.keys(others).every((title) => title.startsWith('Sampler: ')),
      Object.keys(others).join(),
    );
    assert.deepEqual([others['Sampler: Reached'], others['Sampler: adapters']], ['yes', 'yes']);
    assert.ok(!('Sampler: Frozen' in others));
    const [[id, job] = []] = [...bench.ray.jobs];
    assert.match(id ?? '', /^genenv-doctor-/);
    assert.deepEqual(job?.submission.metadata, { genenv: 'doctor' });
  });

  it('says what keeps jobs from running: a folder, a token, a sampler', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'genenv-elsewhere-'));
    const apart = await examined({ mount: elsewhere });
    rmSync(elsewhere, { recursive: true });
    assert.equal(marks(apart)['Jobs'], 'no');
    assert.match(apart.find(({ title }) => title === 'Jobs')?.meaning ?? '', /does not see the folder/);

    bench.ray.token = 'right';
    const without = await examined();
    assert.equal(marks(without)['Cluster'], 'no');
    assert.match(evidence(without, 'Cluster'), /token/);
    const withToken = await examined({ key: '${env:TOKEN}' });
    assert.equal(marks(withToken)['Jobs'], 'yes');
    bench.ray.token = null;

    const alone = await examined({ sampler: 'http://127.0.0.1:9/v1' });
    assert.equal(marks(alone)['Jobs'], 'yes');
    assert.deepEqual([marks(alone)['Sampler: Reached'], marks(alone)['Sampler: adapters']], ['no', 'no']);
  });

  it('finds the clusters of an address among who uses it', () => {
    const jobs = bench.endpoint();
    const user = { endpoints: { agent: jobs, environment: jobs } };
    const other = { endpoints: { agent: { ...jobs, url: 'http://elsewhere:8265' }, environment: jobs } };
    assert.equal(visitsAtCluster(jobs.url, [user, other, { endpoints: presets.embedded.endpoints }]).length, 1);
  });
});
