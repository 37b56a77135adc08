/** Groups that count one epoch after their own (`rollouts.late`), judged again. */
import assert from 'node:assert/strict';
import { Rescore, type RescoreSummary } from '../../../../src/features/rescore/core/rescore.ts';
import { isIn, scoredEpochs, type Epochs } from '../../../../src/features/rescore/node/scoredEpochs.ts';
import type { Experiment } from '../../../../src/shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../../../src/shared/journal/events.ts';
import { fromArray } from '../../../support/report/fromArray.ts';
import { drawnAgain, lateExperiment } from '../../../support/scripted/lateExperiment.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../../support/scripted/scriptedRun.ts';
import { finishedRun } from '../../../support/runs/scriptedStore.ts';
import { all, withTempRuns } from '../../../support/runs/tempRuns.ts';

const ofType = <T extends JournalEvent['type']>({ events }: MemoryRun, type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

/** With the recorded verdicts, so that everything must come out as journaled. */
async function rescored(run: MemoryRun, experiment: Experiment, epochs: Epochs): Promise<RescoreSummary> {
  const { late } = run.state;
  const isAsked = isIn(epochs, late);
  const rescore = new Rescore();
  for (const { id, purpose, task, family, epoch, verdict } of run.traces) {
    if (!isAsked({ purpose, task, epoch })) continue;
    rescore.add({ id, purpose, task, family, epoch, verdict: { before: verdict, after: verdict } });
  }
  const source = {
    dir: '',
    manifest: { parent: null, ancestors: [], experiment },
    events: () => fromArray(run.events),
  };
  for await (const scored of scoredEpochs(source, epochs, late)) rescore.settle(scored);
  return rescore.summary();
}

function assertAsJournaled(run: MemoryRun, { epochs }: RescoreSummary): void {
  for (const { epoch, successRate, baseSuccessRate, environmentReward, familiesKept: kept, advantages } of epochs) {
    const scored = ofType(run, 'families.scored').find((event) => event.epoch === epoch);
    const updated = ofType(run, 'agent.updated').find((event) => event.epoch === epoch);
    assert.ok(scored !== undefined && updated !== undefined);
    assert.deepEqual(successRate.after, scored.successRate, `p̂ of epoch ${epoch}`);
    assert.deepEqual(baseSuccessRate.after, scored.baseSuccessRate, `p̂ of what was mixed into epoch ${epoch}`);
    assert.deepEqual(
      environmentReward.after,
      scored.families.flatMap((family) => family.environmentReward ?? []),
    );
    assert.equal(kept.after, scored.familiesKept, `families kept in epoch ${epoch}`);
    assert.equal(advantages.groups.after, updated.groups.trained, 'groups that teach');
  }
}

/** α moves along a course, or is chosen by a controller; families are scored by that of their epoch. */
describe('an epoch that is judged again', () => {
  const curriculum = { kMin: 0.2, filter: 'hard' } as const;
  const course = [
    { epoch: 1, alpha: 0.2 },
    { epoch: 3, alpha: 0.8 },
  ];
  for (const [by, own] of [
    ['course', { ...curriculum, alphaPoints: course, alphaBetween: 'line' }],
    [
      'controller',
      { ...curriculum, alpha: 0.5, control: { kind: 'success', every: 1, step: 0.1, low: 0.1, high: 0.9 } },
    ],
  ] as const) {
    it(`is scored by the α that a ${by} gave it`, async () => {
      const experiment = smallExperiment({ epochs: 3, curriculum: own });
      const run = await runScripted(experiment);
      const alphas = ofType(run, 'epoch.started').map(({ settings }) => settings.alpha);
      assert.ok(new Set(alphas).size > 1, alphas.join());
      assertAsJournaled(run, await rescored(run, experiment, { first: 1, last: 3 }));
    });
  }

  it('is rewarded by the same progress, also where the epochs before it are not judged again', async () => {
    const reward = { kind: 'progress', repetition: 0, file: null } as const;
    const settings = { epochs: 4, curriculum: { ...curriculum, reward } };
    for (const experiment of [smallExperiment(settings), lateExperiment(settings)]) {
      const run = await runScripted(experiment);
      const rewarded = ofType(run, 'families.scored').map(({ families }) =>
        families.some(({ environmentReward }) => environmentReward !== null),
      );
      assert.deepEqual([rewarded[0], rewarded.includes(true)], [false, true]);
      for (const [first, last] of [
        [0, Infinity],
        [3, 4],
      ] as const) {
        assertAsJournaled(run, await rescored(run, experiment, { first, last }));
      }
    }
  });

  it('is scored by the settings of its parent where a branch shares it', () =>
    withTempRuns(async (runs) => {
      const store = runs.store();
      const settings = smallExperiment({ epochs: 2, curriculum });
      const parent = await finishedRun(store, settings);
      const changed = smallExperiment({ epochs: 3, curriculum: { filter: 'off', scope: 'task', alpha: 0.9, beta: 1 } });
      const writer = await store.branch(parent.id, 2, changed);
      await writer.close();
      const branch = await store.openReader(writer.id);
      const run = new MemoryRun();
      run.events = await all(branch.events());
      const rescore = new Rescore();
      for await (const { id, purpose, task, family, epoch, verdict } of branch.traces())
        rescore.add({ id, purpose, task, family, epoch, verdict: { before: verdict, after: verdict } });
      for await (const scored of scoredEpochs(branch, { first: 1, last: 2 }, new Map())) rescore.settle(scored);
      await branch.close();
      const summary = rescore.summary();
      assert.equal(summary.epochs.length, 2);
      assertAsJournaled(run, summary);
    }));
});

describe('rescoring of late groups', () => {
  for (const [name, experiment] of [
    ['written and mixed tasks', lateExperiment()],
    ['tasks that are drawn again meanwhile, whose groups have advantages of their own', drawnAgain()],
  ] as const) {
    it(`counts them where the run did: ${name}`, async () => {
      const run = await runScripted(experiment);
      assert.ok(run.state.late.size > 0);
      const summary = await rescored(run, experiment, { first: 0, last: Infinity });
      assert.deepEqual(
        summary.epochs.map(({ epoch }) => epoch),
        [1, 2, 3, 4],
      );
      assertAsJournaled(run, summary);
    });

    it(`reads what counts in the first epoch of a part: ${name}`, async () => {
      const run = await runScripted(experiment);
      for (const [first, last] of [
        [2, 2],
        [3, 4],
        [1, 3],
      ] as const) {
        const summary = await rescored(run, experiment, { first, last });
        assert.equal(summary.epochs.length, last - first + 1);
        assertAsJournaled(run, summary);
      }
    });
  }

  it('says of an attempt that turns which epoch attempted it', async () => {
    const experiment = drawnAgain();
    const run = await runScripted(experiment);
    const rescore = new Rescore();
    for (const { id, purpose, task, family, epoch, verdict } of run.traces) {
      const after = { ...verdict, success: !verdict.success, reward: 1 - verdict.reward };
      rescore.add({ id, purpose, task, family, epoch, verdict: { before: verdict, after } });
    }
    const source = {
      dir: '',
      manifest: { parent: null, ancestors: [], experiment },
      events: () => fromArray(run.events),
    };
    for await (const scored of scoredEpochs(source, { first: 0, last: Infinity }, run.state.late))
      rescore.settle(scored);
    let late = 0;
    for (const { epoch, turned } of rescore.summary().epochs) {
      assert.ok(turned.length > 0);
      for (const { task, attemptedIn, at } of turned) {
        const group = run.traces.filter(
          (trace) => trace.purpose === 'train' && trace.task === task && trace.epoch === attemptedIn,
        );
        assert.ok(at < group.length);
        assert.equal(run.state.late.get(attemptedIn)?.includes(task) === true ? attemptedIn + 1 : attemptedIn, epoch);
        late += Number(attemptedIn < epoch);
      }
    }
    assert.ok(late > 0);
  });
});
