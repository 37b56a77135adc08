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

  it('keeps letters of every script, and gives no two names one file', () => {
    const tags = ['success/北京', 'success/größe', 'pass@1', 'pass#1', 'pass@1'];
    const steps = [{ step: 1, at: 5, scalars: tags.map((tag, value) => ({ tag, value })) }];
    const written = mlflowFiles({ ...run, settings: { 'a@': 1, 'a#': 2 }, steps }, 'file:///store');
    const under = (kind: string) =>
      [...written].flatMap(([path, text]) =>
        path.startsWith(`12/ab/${kind}/`) ? [[path.slice(7 + kind.length), text]] : [],
      );
    assert.deepEqual(under('metrics'), [
      ['success/北京', '5 0 1\n'],
      ['success/größe', '5 1 1\n'],
      ['pass_1', '5 2 1\n5 4 1\n'],
      ['pass_1_2', '5 3 1\n'],
    ]);
    assert.deepEqual(under('params'), [
      ['a_', '1'],
      ['a__2', '2'],
    ]);
  });

  it('has no name that is a file and a folder', () => {
    const tags = ['complexity/items', 'complexity/items/steps', 'complexity/items_steps', 'a/b/c', 'a/b', 'a'];
    const steps = [{ step: 1, at: 5, scalars: tags.map((tag, value) => ({ tag, value })) }];
    const paths = [...mlflowFiles({ ...run, steps }, 'file:///store').keys()].filter((path) =>
      path.includes('/metrics/'),
    );
    assert.deepEqual(
      paths.map((path) => path.slice('12/ab/metrics/'.length)),
      ['complexity/items', 'complexity_items_steps', 'complexity/items_steps', 'a/b/c', 'a/b_2', 'a_2'],
    );
    for (const path of paths) assert.ok(!paths.some((other) => other.startsWith(`${path}/`)), path);
  });

  it('has a run that may continue without an end', () => {
    assert.match(files.get('12/ab/meta.yaml') ?? '', /^end_time: null$/m);
    assert.match(files.get('12/ab/meta.yaml') ?? '', /^run_name: "α 0\.4: \\"quoted\\""$/m);
  });
});
