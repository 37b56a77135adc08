/** The time left: one estimate for rows, the status bar, the table of runs and the command line. */
import assert from 'node:assert/strict';
import { moneyLines } from '../../../src/cli/show/money.ts';
import { liveState, outlookOf } from '../../../src/cli/live/liveState.ts';
import { figuresOf } from '../../../src/features/runTable/core/figures.ts';
import { EpochFold } from '../../../src/runs/facts/epochFold.ts';
import { inForce } from '../../../src/runs/journal/experimentNow.ts';
import { outlook } from '../../../src/runs/facts/timeline/outlook.ts';
import { duration } from '../../../src/shared/text/figures/durations.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { MemoryRun, runScripted, smallExperiment } from '../../support/scripted/scriptedRun.ts';

const experiment = smallExperiment({ epochs: 4 });

describe('the time left of a run', () => {
  const run = new MemoryRun();
  let now = 0;
  before(() => runScripted(experiment, run, { ports: { clock: { now: () => (now += 500) } } }));

  /** Up to the start of the third epoch. */
  const begun = () =>
    run.cut(run.events.findIndex((event) => event.type === 'epoch.started' && event.epoch === 3) + 1, 0, 0);
  const each = (): number => begun().state.summaries.reduce((sum, { seconds }) => sum + seconds, 0) / 2;

  it('counts the part of the epoch that has passed, and never more than the epoch', () => {
    const { state } = begun();
    const left = (seconds: number) =>
      outlook(state, experiment, { since: 0, now: seconds * 1000, silent: false }).secondsLeft ?? NaN;
    assert.ok(Math.abs(left(0) - 2 * each()) < 1e-9);
    assert.ok(Math.abs(left(each() / 2) - 1.5 * each()) < 1e-9);
    assert.ok(Math.abs(left(3 * each()) - each()) < 1e-9);
    assert.ok(Math.abs(left(-5) - 2 * each()) < 1e-9);
  });

  it('is not known while an epoch, or the way to the next one, is held up', () => {
    const { state } = begun();
    const left = (of: typeof state, seconds: number) =>
      outlook(of, experiment, { since: 0, now: seconds * 1000, silent: false });
    assert.ok(each() < 15 && left(state, 59).secondsLeft !== null, 'a short epoch may take a minute');
    assert.equal(left(state, 61).secondsLeft, null);
    assert.equal(left({ ...state, open: null }, 61).secondsLeft, null);
    assert.equal(outlook(state, experiment, { since: 0, now: 1000, silent: true }).secondsLeft, null, 'no answer');
  });

  it('ends with the budget that is used up first', () => {
    const { state } = begun();
    const { rollouts, seconds } = state.spent;
    const most = Math.round(rollouts * 1.25);
    const expected = (seconds * (most - rollouts)) / rollouts;
    const capped: Experiment = { ...experiment, budget: { ...experiment.budget, rollouts: most } };
    assert.ok(Math.abs((outlook(state, capped, null).secondsLeft ?? NaN) - expected) < 1e-9);
    const changes = [{ epoch: 3, field: 'budget.rollouts', to: most }];
    const changed = inForce({ parent: null, experiment }, { changes });
    assert.ok(Math.abs((outlook(state, changed, null).secondsLeft ?? NaN) - expected) < 1e-9);
  });

  it('follows the budget of a branch, and none that its parent had in the epochs they share', () => {
    const changes = [
      { epoch: 2, field: 'budget.rollouts', to: 7 },
      { epoch: 3, field: 'budget.tokens', to: 9000 },
    ];
    const branch = { parent: { run: 'parent', epoch: 2 }, experiment };
    assert.deepEqual(inForce(branch, { changes }).budget, { ...experiment.budget, tokens: 9000 });
  });

  it('ends with a budget of hours or of money', () => {
    const { state } = begun();
    const { seconds } = state.spent;
    const { agent } = experiment.endpoints;
    const endpoints = { ...experiment.endpoints, agent: { ...agent, pricePerHour: 2 } };
    const left = (budget: Partial<Experiment['budget']>): number =>
      outlook(state, { ...experiment, endpoints, budget: { ...experiment.budget, ...budget } }, null).secondsLeft ??
      NaN;
    assert.ok(Math.abs(left({ hours: (1.25 * seconds) / 3600 }) - seconds / 4) < 1e-6);
    assert.ok(Math.abs(left({ cost: (1.5 * 2 * seconds) / 3600 }) - seconds / 2) < 1e-6);
    assert.equal(left({ cost: seconds / 3600 }), 0);
  });

  for (const budget of [
    {},
    { rollouts: 100_000 },
    { seconds: 60 },
    { tokens: 20_000 },
    { hours: 0.002 },
    { cost: 0.4 },
  ]) {
    it(`is the same in every place: ${JSON.stringify(budget)}`, () => {
      const { state, events } = begun();
      const own: Experiment = { ...experiment, budget: { ...experiment.budget, ...budget } };
      const { secondsLeft } = outlook(state, own, null);
      assert.ok(secondsLeft !== null);
      const fold = new EpochFold();
      for (const event of events) fold.add(event);
      assert.ok(Math.abs((figuresOf(fold, own, false).left ?? NaN) - secondsLeft) < 1e-6);
      assert.ok(moneyLines(state, own, [])[0]?.includes(duration(secondsLeft)));
      assert.equal(outlookOf(liveState('run', own, state, 7), 7).secondsLeft, secondsLeft);
    });
  }
});
