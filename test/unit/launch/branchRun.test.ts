/** A branch that would end at once is not made. */
import assert from 'node:assert/strict';
import { branchRun } from '../../../src/launch/branchRun.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { branchedExperiment } from '../../../src/shared/experiment/branched.ts';
import { fromSources } from '../../support/fromSources.ts';
import { finishedRun } from '../../support/runs/scriptedStore.ts';
import { withTempRuns } from '../../support/runs/tempRuns.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

describe('a branch with nothing left to run', () => {
  const base = { epochs: 4, validation: { every: 1 } };
  for (const [settings, field, way] of [
    [{ ...base, earlyStop: { patience: 1, minImprovement: 0.9 } }, 'earlyStop', 'earlyStop=null'],
    [{ ...base, budget: { rollouts: 1 } }, 'budget.rollouts', 'budget.rollouts=1000000'],
  ] as const) {
    it(`is refused by ${field}, and made without it`, () =>
      withTempRuns(async (runs) => {
        const store = runs.store();
        const parent = await finishedRun(store, smallExperiment(settings));
        const reader = await store.openReader(parent.id);
        assert.equal((await reader.head()).epoch, 1);
        await reader.close();
        runs.now += 1000;
        const branch = async (epoch: number, ...sets: string[]): Promise<void> => {
          const parsed = branchedExperiment(smallExperiment(settings), sets, epoch);
          if ('problems' in parsed) throw new InputError(parsed.problems);
          const asked = { run: parent.id, epoch, experiment: parsed.experiment, named: [], author: 'ada' };
          const clock = { now: () => runs.now };
          const writer = await branchRun(store, { ...asked, clock, dist: fromSources });
          await writer.close();
        };
        await assert.rejects(branch(1), (error) => {
          assert.ok(error instanceof InputError);
          const [problem] = error.problems;
          assert.match(problem?.message ?? '', /^A branch at epoch 1 has nothing left to run: /);
          return problem?.field === field;
        });
        assert.equal((await store.ids()).length, 1);
        await branch(1, way);
        runs.now += 1000;
        await branch(0);
      }));
  }
});
