/** A branch that would end at once is refused; one that measures differently from its parent says so. */
import assert from 'node:assert/strict';
import { branchRun } from '../../../src/launch/branchRun.ts';
import { InputError } from '../../../src/launch/inputs/inputError.ts';
import { branchedExperiment } from '../../../src/shared/experiment/branched.ts';
import { StateFold } from '../../../src/engine/state.ts';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { fromSources } from '../../support/fromSources.ts';
import { finishedRun, runInto } from '../../support/runs/scriptedStore.ts';
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

describe('a branch that measures differently from its parent', () => {
  const settings = {
    ...{ epochs: 4, validation: { every: 1, rollouts: 1, temperature: 0 } },
    earlyStop: { patience: 1, minImprovement: 0.9 },
  };

  it('begins its early stopping anew, and names what changed, also for branches of its own', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const parent = await finishedRun(store, smallExperiment(settings));
      const branch = async (run: string, before: Experiment, epoch: number, ...sets: string[]): Promise<RunWriter> => {
        runs.now += 1000;
        const parsed = branchedExperiment(before, sets, epoch);
        if ('problems' in parsed) throw new InputError(parsed.problems);
        const asked = { run, epoch, experiment: parsed.experiment, named: [], author: 'ada' };
        return branchRun(store, { ...asked, clock: { now: () => runs.now }, dist: fromSources });
      };
      const changed = async (writer: RunWriter): Promise<unknown[]> => {
        const told: unknown[] = [];
        for await (const event of writer.events()) {
          if (event.type !== 'settings.changed') continue;
          told.push(...event.changes.map(({ field, from, to }) => [event.epoch, field, from, to]));
        }
        return told;
      };
      const sets = ['validation.temperature=0.5', 'rollouts.maxTurns=7', 'agent.learningRate=0.5'];
      const { maxTurns } = smallExperiment(settings).rollouts;
      const expected = [
        [2, 'rollouts.maxTurns', maxTurns, 7],
        [2, 'validation.temperature', 0, 0.5],
      ];
      const first = await branch(parent.id, smallExperiment(settings), 1, ...sets);
      assert.deepEqual(await changed(first), expected);
      await runInto(first, parent.run);
      const [state, fold] = [new StateFold(), new EpochFold()];
      for await (const event of first.events()) for (const one of [state, fold]) one.add(event);
      await first.close();
      const { validations } = state.state;
      assert.deepEqual(validations.map(({ epoch, measured }) => [epoch, measured]).slice(0, 3), [
        [0, 0],
        [1, 0],
        [2, 2],
      ]);
      const measure = { epoch: 2, fields: ['rollouts.maxTurns', 'validation.temperature'] };
      assert.deepEqual(
        fold.validations.slice(0, 4).map((row) => [row.epoch, row.against, row.measure]),
        [
          [0, null, null],
          [1, 0, null],
          [2, null, measure],
          [3, 2, measure],
        ],
      );

      // The epochs that a branch of it shares may be of the run before it.
      const { experiment } = first.manifest;
      const second = await branch(first.id, experiment, 0);
      assert.deepEqual(
        await changed(second),
        expected.map(([, ...rest]) => [1, ...rest]),
      );
      await second.close();
      const third = await branch(first.id, experiment, 2, 'validation.temperature=0', 'earlyStop=null');
      assert.deepEqual((await changed(third)).slice(2), [[3, 'validation.temperature', 0.5, 0]]);
      await third.close();
    }));
});
