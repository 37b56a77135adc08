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

const problemsOf = (overrides: readonly string[], epoch: number) => {
  const parsed = branchedExperiment(parent, overrides, epoch);
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
