import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measuredDifferently } from '../../../../src/features/compare/core/measuredDifferently.ts';
import { howMeasured } from '../../../../src/features/compare/node/howMeasured.ts';
import { keepFiles, loadedFiles } from '../../../../src/launch/inputs/keptFiles.ts';
import type { Lineage } from '../../../../src/runs/journal/lineage.ts';
import { smallExperiment } from '../../../support/scripted/scriptedRun.ts';

describe('what validations of two runs were measured by', () => {
  let dir = '';
  const run = (name: string): string => join(dir, name);

  /** A run's copy of its reward. */
  async function keep(name: string, text: string): Promise<void> {
    const file = join(dir, 'mine.reward.ts');
    await writeFile(file, text);
    await mkdir(run(name), { recursive: true });
    await keepFiles(run(name), 'reward', await loadedFiles(file, [file]));
  }

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'genenv-measured-'));
    await keep('parent', 'export const reward = () => 1;');
    await keep('branch', 'export const reward = () => 0;');
    await keep('other', 'export const reward = () => 1;');
  });
  after(() => rm(dir, { recursive: true, force: true }));

  const reward = { ...smallExperiment().reward, file: 'mine.reward.ts' };
  const experiment = smallExperiment({ reward });
  const parent = { parent: null, experiment };
  const ofBranch = {
    parent: { run: 'parent', epoch: 2 },
    experiment: smallExperiment({ reward, rollouts: { maxTokens: 9 } }),
  };
  const differing = async (
    [one, its, at]: [string, Lineage, number],
    [other, others, then]: [string, Lineage, number],
  ): Promise<string[]> =>
    measuredDifferently(await howMeasured(run(one), its, at), await howMeasured(run(other), others, then));

  it('is a reward by its content, and limits, of the run that made the epoch', async () => {
    const branch: Lineage = [ofBranch, parent];
    assert.deepEqual(await differing(['parent', [parent], 4], ['branch', branch, 4]), [
      'reward.file',
      'rollouts.maxTokens',
    ]);
    assert.deepEqual(await differing(['parent', [parent], 4], ['branch', branch, 2]), [], 'a shared epoch');
    assert.deepEqual(
      await differing(['parent', [parent], 4], ['branch', [ofBranch], 2]),
      ['rollouts.maxTokens'],
      'a shared epoch, of a run whose settings are not known',
    );
    assert.deepEqual(await differing(['parent', [parent], 4], ['other', [parent], 4]), []);
    const without = { parent: null, experiment: smallExperiment() };
    assert.deepEqual(await differing(['parent', [parent], 4], ['none', [without], 4]), ['reward.file']);
  });

  it('is a reward by its name where its copy is gone', async () => {
    const renamed = smallExperiment({ reward: { ...reward, file: 'other.reward.ts' } });
    assert.deepEqual(await differing(['parent', [parent], 4], ['gone', [parent], 4]), []);
    assert.deepEqual(await differing(['parent', [parent], 4], ['gone', [{ ...parent, experiment: renamed }], 4]), [
      'reward.file',
    ]);
  });

  it('leaves out which tasks there are, which are compared one by one', async () => {
    const fewer = { ...parent, experiment: smallExperiment({ reward, validation: { tasks: 3 } }) };
    assert.deepEqual(await differing(['parent', [parent], 4], ['parent', [fewer], 4]), []);
  });
});
