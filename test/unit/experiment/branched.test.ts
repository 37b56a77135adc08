import assert from 'node:assert/strict';
import { branchedExperiment } from '../../../src/shared/experiment/branched.ts';
import { parseExperiment } from '../../../src/shared/experiment/parse.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import { writtenForm } from '../../../src/shared/experiment/written.ts';

const parent = resolveExperiment({
  version: 1,
  name: 'parent',
  preset: 'embedded',
  mode: 'coevolve',
  seed: 1,
  epochs: 10,
});

const problemsOf = (overrides: readonly string[], epoch: number, before = parent) => {
  const parsed = branchedExperiment(before, overrides, epoch);
  return 'problems' in parsed ? parsed.problems.map(({ field }) => field) : [];
};

describe('experiment: branched', () => {
  it('goes on with what its parent had, and what is changed', () => {
    const parsed = branchedExperiment(parent, ['curriculum.alpha=0.4', 'epochs=30'], 9);
    assert.ok('experiment' in parsed);
    assert.deepEqual(parsed.experiment, {
      ...parent,
      epochs: 30,
      curriculum: { ...parent.curriculum, alpha: 0.4 },
    });
  });

  it('refuses what the shared epochs were made with, values that do not fit, and a branch with nothing left to run', () => {
    assert.deepEqual(problemsOf(['preset=paper'], 3), ['preset']);
    assert.deepEqual(problemsOf(['endpoints.agent.weights=x.bin'], 3), ['endpoints.agent.weights']);
    assert.deepEqual(problemsOf(['curriculum.alpha=2'], 3), ['curriculum.alpha']);
    assert.deepEqual(problemsOf([], 10), ['epochs']);
    assert.deepEqual(problemsOf(['epochs=11'], 10), []);
  });
});

describe('experiment: branched to a server that moved', () => {
  const endpoint = { kind: 'verl', url: 'http://gpu:8265', key: null, model: 'm', rank: 8, gpus: 4 };
  const remote = resolveExperiment({
    ...{ version: 1, name: 'remote', preset: 'default', epochs: 10 },
    endpoints: { agent: endpoint, environment: endpoint },
  });

  it('takes how it is reached and given work', () => {
    const parsed = branchedExperiment(
      remote,
      [
        'endpoints.agent.url=http://other:8265',
        'endpoints.agent.key=${env:OTHER}',
        'endpoints.agent.overrides=actor_rollout_ref.rollout.gpu_memory_utilization=0.4',
        'endpoints.environment={"sampler": "http://other:8000/v1", "nodes": 2}',
      ],
      3,
    );
    assert.ok('experiment' in parsed, JSON.stringify(parsed));
    const { agent, environment } = parsed.experiment.endpoints;
    assert.ok(agent.kind === 'verl' && environment.kind === 'verl');
    assert.deepEqual(
      [agent.url, agent.key, agent.overrides, agent.model],
      ['http://other:8265', '${env:OTHER}', 'actor_rollout_ref.rollout.gpu_memory_utilization=0.4', 'm'],
    );
    assert.deepEqual(
      [environment.sampler, environment.nodes, environment.url],
      ['http://other:8000/v1', 2, 'http://gpu:8265'],
    );
  });

  it('refuses another policy, another folder and other prices', () => {
    for (const field of ['kind=tinker', 'model=n', 'rank=4', 'workdir=/elsewhere', 'pricePerHour=3'])
      assert.deepEqual(problemsOf([`endpoints.agent.${field}`], 3, remote), [`endpoints.agent.${field.split('=')[0]}`]);
    assert.deepEqual(problemsOf(['endpoints.agent={"url": "http://other", "model": "n"}'], 3, remote), [
      'endpoints.agent',
    ]);
    assert.deepEqual(problemsOf(['endpoints=null'], 3, remote), ['endpoints']);
  });
});

describe('experiment: written', () => {
  it('writes only what differs from the preset, and is read back as it was', () => {
    assert.deepEqual(writtenForm(resolveExperiment({ ...parent, curriculum: { ...parent.curriculum, beta: 7 } })), {
      version: 1,
      name: 'parent',
      preset: 'embedded',
      epochs: 10,
      curriculum: { beta: 7 },
    });
    for (const preset of ['default', 'paper', 'embedded'] as const) {
      const experiment = resolveExperiment({
        version: 1,
        name: preset,
        preset,
        seed: 7,
        mode: 'random',
        budget: { tokens: 10_000_000 },
        earlyStop: { patience: 3, minImprovement: 0.01 },
        environment: { totalKlCap: 0.5 },
      });
      const parsed = parseExperiment(JSON.stringify(writtenForm(experiment)), 'x');
      assert.ok('experiment' in parsed);
      assert.deepEqual(parsed.experiment, experiment);
    }
  });
});
