import assert from 'node:assert/strict';
import { settingsDigest } from '../../../../src/features/study/node/settingsDigest.ts';
import { resolveExperiment } from '../../../../src/shared/experiment/resolve.ts';

const experiment = resolveExperiment({ version: 1, preset: 'embedded', name: 'b', seed: 9 });

describe('The digest of a study’s settings', () => {
  it('is that of the plan in the run.json of its run', () => {
    assert.equal(settingsDigest(JSON.parse(JSON.stringify(experiment, null, 2))), settingsDigest(experiment));
  });

  it('is that of before where a setting of later releases is off', () => {
    const { crossPlay, ...older } = structuredClone(experiment);
    const { cost, hours, ...budget } = older.budget;
    const { control, ...curriculum } = older.curriculum;
    const { editShare, ...generation } = older.generation;
    const { order, cutOff, spare, late, ...rollouts } = older.rollouts;
    const { taskSeed, ...domain } = older.domain;
    const { file, ...reward } = curriculum.reward;
    assert.deepEqual(
      [crossPlay.every, cost, hours, file, control.kind, editShare, taskSeed, order, cutOff, spare, late],
      [0, null, null, null, 'off', 0, 0, 'drawn', 'off', 0, 0],
    );
    assert.equal(
      settingsDigest({ ...older, domain, budget, generation, rollouts, curriculum: { ...curriculum, reward } }),
      settingsDigest(experiment),
    );
  });

  const changes: readonly [string, (changed: typeof experiment) => void][] = [
    ['a seed', (changed) => void (changed.seed = 10)],
    ['a budget', (changed) => void (changed.budget.cost = 3)],
    ['a curriculum file', (changed) => void (changed.curriculum.reward.file = 'a.curriculum.ts')],
    ['versions that are compared', (changed) => void (changed.crossPlay.every = 2)],
    ['a controller of α', (changed) => void (changed.curriculum.control.kind = 'success')],
    ['tasks that are edited', (changed) => void (changed.generation.editShare = 0.5)],
    ['tasks of another seed', (changed) => void (changed.domain.taskSeed = 3)],
    ['the order of attempts', (changed) => void (changed.rollouts.order = 'longest')],
    ['spare groups', (changed) => void (changed.rollouts.spare = 0.1)],
    ['late groups', (changed) => void (changed.rollouts.late = 0.1)],
    ['streamed minibatches', (changed) => void (changed.agent.stream = true)],
    ['families that are cut off', (changed) => void (changed.rollouts.cutOff = 'band')],
    ['a reward file', (changed) => void (changed.reward.file = 'a.reward.ts')],
  ];
  for (const [name, change] of changes) {
    it(`tells ${name} that changed`, () => {
      const changed = structuredClone(experiment);
      change(changed);
      assert.notEqual(settingsDigest(changed), settingsDigest(experiment));
    });
  }
});
