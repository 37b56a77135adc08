import assert from 'node:assert/strict';
import { mlflowFiles, type MlflowRun } from '../../../../src/features/report/core/mlflowRun.ts';

const run: MlflowRun = {
  ...{ id: 'r', name: 'α 0.4: "quoted"', experiment: 'mine', experimentId: '12', runId: 'ab' },
  ...{ state: 'finished', begun: 1000, ended: null, settings: { seed: 3, curriculum: { alpha: 0.5, list: [1, 2] } } },
  steps: [
    { step: 0, at: 1500, scalars: [{ tag: 'validation/p', value: 0.25 }] },
    {
      step: 1,
      at: 2000,
      scalars: [
        { tag: 'validation/p', value: 0.5 },
        { tag: 'evaluation pass@1/../p', value: 1e-7 },
      ],
    },
  ],
};

describe('a run in MLflow’s file store', () => {
  const files = mlflowFiles(run, 'file:///store');

  it('has a line a step in the file of a metric', () => {
    assert.equal(files.get('12/ab/metrics/validation/p'), '1500 0.25 0\n2000 0.5 1\n');
  });

  it('has its settings as parameters, by dotted paths', () => {
    assert.equal(files.get('12/ab/params/curriculum.alpha'), '0.5');
    assert.equal(files.get('12/ab/params/curriculum.list'), '[1,2]');
    assert.equal(files.get('12/ab/params/seed'), '3');
  });

  it('gives names that MLflow takes and that stay in the folder', () => {
    assert.equal(files.get('12/ab/metrics/evaluation pass_1/_/p'), '2000 1e-7 1\n');
    for (const path of files.keys()) assert.match(path, /^12\/(?:[\w\-. ]+\/)*[\w\-. ]+$/);
  });

  it('has a run that may continue without an end', () => {
    assert.match(files.get('12/ab/meta.yaml') ?? '', /^end_time: null$/m);
    assert.match(files.get('12/ab/meta.yaml') ?? '', /^run_name: "α 0\.4: \\"quoted\\""$/m);
  });
});
