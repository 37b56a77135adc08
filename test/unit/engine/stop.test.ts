import assert from 'node:assert/strict';
import { whyStop, type Stop } from '../../../src/engine/phases/stop.ts';
import { successRate } from '../../../src/engine/math/successRate.ts';
import { emptyState, type RunState } from '../../../src/engine/state.ts';
import { smallExperiment } from '../../support/scripted/scriptedRun.ts';

const spent = { tokens: 100, rollouts: 20, seconds: 12.5 };

/** Validations of a hundred tasks each, by how many were solved; null where none was judged. */
const validated = (...solved: (number | null)[]): RunState => ({
  ...emptyState,
  validations: solved.map((k, epoch) => ({
    epoch,
    successRate: successRate(k ?? 0, k === null ? 0 : 100),
    measured: 0,
  })),
});

describe('a run ends', () => {
  it('when a budget is spent to its last token, rollout or second, and not before', () => {
    const stopOf = (budget: object): Stop | null => whyStop(smallExperiment({ budget }), { ...emptyState, spent });
    for (const kind of ['tokens', 'rollouts', 'seconds'] as const) {
      assert.equal(stopOf({ [kind]: Math.ceil(spent[kind]) + 1 }), null, kind);
    }
    assert.deepEqual(stopOf({ tokens: 100 }), {
      ...{ reason: 'budget-tokens', note: '100 tokens spent of a budget of 100.' },
    });
    assert.deepEqual(stopOf({ rollouts: 20 }), {
      ...{ reason: 'budget-rollouts', note: '20 rollouts made of a budget of 20.' },
    });
    assert.deepEqual(stopOf({ seconds: 12.5 }), {
      ...{ reason: 'budget-seconds', note: '13 s spent of a budget of 12.5 s.' },
    });
    assert.equal(stopOf({}), null);
  });

  it('when as many validations as asked for have not beaten the best before them by enough', () => {
    const after = (minImprovement: number, ...solved: (number | null)[]): string | null => {
      const stop = whyStop(smallExperiment({ earlyStop: { patience: 2, minImprovement } }), validated(...solved));
      assert.ok(stop === null || stop.reason === 'early-stop');
      return stop?.note ?? null;
    };
    for (const few of [[], [50], [50, 40]]) assert.equal(after(0.05, ...few), null, 'too few validations to say');
    assert.match(after(0.05, 50, 40, 45) ?? '', /best since: 45\.0 %/);
    assert.match(after(0.05, 50, 40, 52) ?? '', /passed 50\.0 % for 2 validations \(best since: 52\.0 %\)/);
    assert.equal(after(0.05, 50, 56, 10), null);
    assert.equal(after(0.25, 50, 75, 10), null, 'exactly enough');
    assert.equal(after(0.05, 10, 15, 10), null, 'exactly enough, 0.1 + 0.05 being more than 0.15');
    assert.notEqual(after(0.25, 50, 74, 10), null);
    // The best of all before counts, not the last, and not the worst.
    assert.notEqual(after(0.05, 70, 20, 60, 72), null);
    assert.equal(after(0.05, 20, 30, 10, 36), null);
    // Where nothing has to be gained, the best has to be passed all the same.
    assert.notEqual(after(0, 50, 50, 50), null);
    assert.equal(after(0, 50, 51, 50), null);
    assert.notEqual(after(0.05, null, null, null), null, 'nothing judged is nothing gained');
    assert.equal(after(0.05, null, 10, null), null);
  });

  it('never compares validations that were measured differently', () => {
    const other = { changes: [{ epoch: 3, field: 'reward.file', to: 'strict.reward.ts' }] };
    const note = (state: RunState): string | null =>
      whyStop(smallExperiment({ earlyStop: { patience: 2, minImprovement: 0.05 } }), state)?.note ?? null;
    const before = validated(100, 100, 100);
    assert.notEqual(note(before), null);
    assert.equal(note({ ...before, ...other }), null, 'a branch under another reward begins anew');
    const after = (...solved: number[]): RunState['validations'] =>
      solved.map((k, i) => ({ epoch: 3 + i, successRate: successRate(k, 100), measured: 3 }));
    const grown = (...solved: number[]): string | null =>
      note({ ...before, ...other, validations: [...before.validations, ...after(...solved)] });
    assert.equal(grown(30), null);
    assert.equal(grown(30, 40, 41), null);
    assert.match(grown(30, 31, 32) ?? '', /passed 30\.0 %/);
    assert.notEqual(note({ ...before, changes: [{ epoch: 3, field: 'agent.learningRate', to: 1 }] }), null);
  });

  it('when nothing that the environment wrote became a task, once at first, three times in a row later', () => {
    const written = (...epochs: number[]) =>
      epochs.map((epoch) => ({ epoch, written: 4, rejected: { duplicate: 1, unparseable: 3 } }));
    const stop = (usable: boolean, ...epochs: number[]): Stop | null =>
      whyStop(smallExperiment(), { ...emptyState, usable, unusable: written(...epochs) });
    assert.equal(stop(false), null);
    assert.match(stop(false, 1)?.note ?? '', /^Not one of 4 texts .* in epoch 1 .*\(duplicate 1, unparseable 3\)/);
    assert.equal(stop(true, 4, 5), null);
    assert.match(stop(true, 4, 5, 6)?.note ?? '', /^Not one of 12 .* in epochs 4–6 .*\(duplicate 3, unparseable 9\)/);
    assert.equal(stop(true, 4, 5, 6)?.reason, 'no-tasks');
  });
});
