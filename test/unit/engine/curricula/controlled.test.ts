/** α by its controllers, by hand. */
import assert from 'node:assert/strict';
import { controlledAt, stepAfter } from '../../../../src/engine/curricula/controlled.ts';
import { measuredOver } from '../../../../src/engine/curricula/controlMeasures.ts';
import { emptyState, type RunState } from '../../../../src/engine/state.ts';
import { whyFixed } from '../../../../src/shared/experiment/changeable.ts';
import type { Curriculum } from '../../../../src/shared/experiment/schema.ts';
import type { Controlled } from '../../../../src/shared/journal/control.ts';
import type { EpochSummary, FamilyScore } from '../../../../src/shared/journal/events.ts';
import type { SuccessRate } from '../../../../src/shared/journal/scores.ts';
import { eventsOf, referenceExperiment, runReference } from '../../../support/reference/referenceRun.ts';

type Kind = Curriculum['control']['kind'];

const settings = (kind: Kind, more: Partial<Curriculum['control']> = {}) => ({
  alpha: 0.5,
  control: { kind, every: 2, step: 0.1, low: 0.3, high: 0.7, ...more },
});

const seen = (value: number, error = 0.01) => ({ from: 1, to: 2, value, error });

/** `α why direction` after a window. */
function step(kind: Kind, alpha: number, direction: 1 | -1, before: number | null, now: number | null): string {
  const known = { alpha, direction, seen: before === null ? null : seen(before) };
  const next = stepAfter(settings(kind), known, now === null ? null : seen(now));
  return `${next.alpha} ${next.why} ${next.direction}`;
}

/** An interval of standard error `error`. */
const rate = (successes: number, attempts: number, error: number): SuccessRate => {
  const p = successes / attempts;
  return { successes, attempts, p, low: p - 1.959963984540054 * error, high: p + 1.959963984540054 * error };
};

const family = (...tasks: [successes: number, attempts: number][]): FamilyScore => ({
  ...{ id: 'f', seed: null, origin: 'generated', plan: '', complexity: {} },
  ...{ estimate: 0, environmentReward: 0, kept: 0, weight: 0 },
  ...{
    tasks: tasks.map(([successes, attempts]) => ({ id: 't', successes, attempts, environmentReward: 0, weight: 0 })),
  },
  successRate: rate(1, 2, 0.1),
});

const summary = (epoch: number, rollouts: number, successRate: SuccessRate): EpochSummary => ({
  ...{ epoch, successRate, rollouts, inBand: 0, environmentReward: 0, familiesKept: 0, families: 0 },
  ...{ effectiveSampleSize: 0, kl: { agent: null, environment: null }, taskLength: null, answerLength: null },
  ...{ rejected: {}, tokens: 0, seconds: 0 },
});

describe('a controller of α', () => {
  it('that keeps a measure high goes on where it rose, and turns where it fell', () => {
    assert.equal(step('learnability', 0.5, -1, null, 0.1), '0.4 first -1');
    assert.equal(step('learnability', 0.4, -1, 0.1, 0.13), '0.3 better -1');
    assert.equal(step('gain', 0.3, -1, 0.13, 0.2), '0.3 better -1', 'no lower than its bound');
    assert.equal(step('gain', 0.4, -1, 0.13, 0.1), '0.5 worse 1');
    assert.equal(step('learnability', 0.6, 1, 0.2, 0.1), '0.5 worse -1');
  });

  it('goes home where the difference may be chance, and from there to the other side', () => {
    assert.equal(step('learnability', 0.4, -1, 0.1, 0.12), '0.5 chance 1', 'both errors together are 0.02');
    assert.equal(step('learnability', 0.5, 1, 0.12, 0.1), '0.6 chance 1');
    assert.equal(step('learnability', 0.6, 1, 0.1, 0.1), '0.5 chance -1');
    assert.equal(step('learnability', 0.55, 1, 0.1, 0.1), '0.5 chance -1', 'not beyond it');
    const edge = { ...settings('gain', { low: 0.5 }) };
    assert.equal(stepAfter(edge, { alpha: 0.5, direction: -1, seen: null }, seen(1)).alpha, 0.6, 'there is one side');
  });

  it('that holds p̂ at the target moves α against what is off', () => {
    assert.equal(step('success', 0.5, 1, null, 0.505), '0.5 held 1');
    assert.equal(step('success', 0.5, 1, null, 0.6), '0.4 above -1');
    assert.equal(step('success', 0.4, -1, 0.6, 0.6), '0.3 above -1');
    assert.equal(step('success', 0.3, -1, 0.6, 0.6), '0.3 above -1');
    assert.equal(step('success', 0.3, -1, 0.6, 0.4), '0.4 below 1');
  });

  it('stays where a window was not measured', () => {
    assert.equal(step('gain', 0.4, 1, 0.2, null), '0.4 unmeasured 1');
    const after = stepAfter(settings('gain'), { alpha: 0.4, direction: 1, seen: null }, seen(0.3));
    assert.deepEqual(after, { alpha: 0.5, why: 'first', direction: 1 });
  });

  it('decides once a window, by the number of the epoch', () => {
    const at = (epoch: number, controlled: Controlled | null, kind: Kind = 'success') =>
      controlledAt(settings(kind), { ...emptyState, controlled }, epoch);
    assert.equal(at(3, null, 'off'), null);
    const start = at(4, null);
    assert.deepEqual(start, { measure: 'success', alpha: 0.5, why: 'start', since: 4, seen: null, direction: -1 });
    assert.deepEqual([at(5, start)?.why, at(5, start)?.since, at(6, start)?.why], ['unmeasured', 5, 'window']);
    const other: Controlled = { measure: 'gain', alpha: 0.3, why: 'start', since: 4, seen: null, direction: 1 };
    assert.equal(at(6, other)?.alpha, 0.5, 'of another measure');
  });
});

describe('what a controller of α measures', () => {
  const state = (more: Partial<RunState>): RunState => ({ ...emptyState, ...more });
  const close = (found: ReturnType<typeof measuredOver>, value: number, error: number): void => {
    assert.ok(found !== null && Math.abs(found.value - value) < 1e-12, `${found?.value}`);
    assert.ok(Math.abs(found.error - error) < 1e-12, `${found.error}`);
  };

  it('are points of validation per 1,000 rollouts', () => {
    const own = state({
      validations: [
        { epoch: 0, successRate: rate(40, 100, 0.03), measured: 0 },
        { epoch: 2, successRate: rate(46, 100, 0.04), measured: 0 },
      ],
      summaries: [summary(1, 300, rate(1, 2, 0.1)), summary(2, 200, rate(1, 2, 0.1)), summary(3, 9, rate(1, 2, 0.1))],
    });
    // 6 points over 500 rollouts; √(3² + 4²) = 5 points.
    close(measuredOver('gain', own, { from: 1, to: 2 }), 12, 10);
    assert.equal(measuredOver('gain', own, { from: 2, to: 2 }), null, 'no validation before it');
    assert.equal(measuredOver('gain', own, { from: 1, to: 3 }), null);
    const [first, ...later] = own.validations;
    const branched = { ...own, validations: [first!, ...later.map((one) => ({ ...one, measured: 2 }))] };
    assert.equal(measuredOver('gain', branched, { from: 1, to: 2 }), null, 'another reward judged the second');
  });

  it('are the unbiased p(1 − p) of tasks, as means of families', () => {
    // 2 of 4: 4/12; 1 of 2: 1/2; one attempt tells nothing. Families: 1/3, (0 + 1/2)/2 = 1/4, none.
    const scores = new Map([
      [1, [family([2, 4]), family([0, 3], [1, 2])]],
      [2, [family([1, 1])]],
      [3, [family([1, 2])]],
    ]);
    close(measuredOver('learnability', state({ scores }), { from: 1, to: 2 }), 7 / 24, 1 / 24);
    assert.equal(measuredOver('learnability', state({ scores }), { from: 2, to: 3 }), null, 'one family has no error');
  });

  it('are successes over attempts', () => {
    const summaries = [summary(1, 9, rate(30, 60, 0.05)), summary(2, 9, rate(10, 40, 0.1))];
    // √((0.6·0.05)² + (0.4·0.1)²) = 0.05.
    close(measuredOver('success', state({ summaries }), { from: 1, to: 2 }), 0.4, 0.05);
    assert.equal(measuredOver('success', emptyState, { from: 1, to: 2 }), null);
  });
});

describe('a run whose α has a controller', () => {
  it('journals it, tells the environment, and holds families to it', async () => {
    const experiment = referenceExperiment({
      epochs: 5,
      generation: { condition: true },
      curriculum: { filter: 'hard', warmupEpochs: 0, kMin: 0.2, ...settings('success', { every: 1 }) },
    });
    const { run, domain } = await runReference(experiment);
    const started = eventsOf(run, 'epoch.started');
    const alphas = started.map(({ settings: { alpha } }) => alpha);
    assert.ok(new Set(alphas).size > 1, String(alphas));
    assert.deepEqual(new Set(domain.told.map(({ target }) => target)), new Set(alphas));
    const scored = eventsOf(run, 'families.scored');
    for (const [
      i,
      {
        control,
        settings: { alpha },
      },
    ] of started.entries()) {
      const measured = scored[i - 1]?.successRate.p ?? null;
      assert.equal(control?.seen?.value ?? null, measured);
      for (const { successRate, kept } of scored[i]?.families ?? [])
        assert.equal(kept, Math.abs((successRate.p ?? NaN) - alpha) <= 0.2 + 1e-9 ? 1 : 0);
    }
  });

  it('has no α that a person could change', () => {
    const experiment = referenceExperiment({ curriculum: settings('success') });
    assert.match(whyFixed(experiment, 'curriculum.alpha') ?? '', /chosen by its controller/);
    assert.equal(whyFixed(experiment, 'curriculum.beta'), null);
  });
});
