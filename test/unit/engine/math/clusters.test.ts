import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  assumedCorrelation,
  assumedRate,
  clusteredRate,
  correlation,
  effectiveAttempts,
  epochRates,
  type Cluster,
} from '../../../../src/engine/math/written/clusters.ts';
import { meanPassAtK } from '../../../../src/engine/math/passAtK.ts';
import { expandedQuantile } from '../../../../src/engine/math/studentT.ts';
import { pooled, successDifference, successRate } from '../../../../src/engine/math/successRate.ts';
import type { SuccessRate } from '../../../../src/shared/journal/scores.ts';
import { NestedAttempts, type NestedWorld } from '../../../support/nestedAttempts.ts';

const close = (actual: number, expected: number, tolerance = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

const of = (successes: readonly number[], attempts = 8): Cluster[] =>
  successes.map((k) => ({ successes: k, attempts }));

const total = (clusters: readonly Cluster[]): Cluster => ({
  successes: clusters.reduce((sum, one) => sum + one.successes, 0),
  attempts: clusters.reduce((sum, one) => sum + one.attempts, 0),
});

const holds = ({ low, high }: Pick<SuccessRate, 'low' | 'high'>, p: number): boolean => low <= p && p <= high;

describe('attempts in clusters', () => {
  it('correlate as the analysis of variance says', () => {
    // Six tasks of eight attempts, by SciPy: ICC 0.4835, p̂ 0.5625.
    const tasks = of([8, 6, 4, 0, 2, 7]);
    const many = Array.from({ length: 10_000 }, () => tasks);
    close(correlation(many, 0), 0.4835, 5e-5);
    // The assumed one is one more cluster at p = ½, whose variance is ¼.
    const own = correlation([tasks], 0);
    const [component, weight] = [0.4835 * 0.25 * 6, 0.25];
    assert.ok(own < 0.4835 && correlation([tasks], 0.9) > own);
    close(correlation([tasks], 0.9) - own, (0.9 * weight) / (component / 0.4835 + weight), 0.01);
  });

  it('are told by what is assumed where they tell nothing', () => {
    for (const tasks of [of([3]), of([0, 0, 0, 0]), of([8, 8, 8]), of([1, 0, 1], 1), []]) {
      close(correlation([tasks], 0.7), 0.7);
    }
  });

  it('are worth their number over the design effect, with the weighted size where sizes differ', () => {
    close(effectiveAttempts(of([1, 1, 1, 1]), 0.7), 32 / (1 + 7 * 0.7));
    const unequal = [
      { successes: 0, attempts: 4 },
      { successes: 3, attempts: 12 },
    ];
    close(effectiveAttempts(unequal, 0.5), 16 / (1 + 9 * 0.5));
    assert.equal(effectiveAttempts([], 0.5), 0);
  });

  it('have Student’s quantile for few of them', () => {
    const table = [
      [1, 12.7062],
      [2, 4.3027],
      [3, 3.1824],
      [4, 2.7764],
      [13, 2.1604],
      [100, 1.984],
    ] as const;
    for (const [freedom, exact] of table) close(expandedQuantile(freedom) / exact, 1, 2e-3);
  });
});

describe('the interval of a rate over clusters', () => {
  it('is Wilson’s where every cluster has one attempt', () => {
    assert.deepEqual(clusteredRate(of([1, 0, 0, 1, 1], 1), 0.7), successRate(3, 5));
    assert.deepEqual(clusteredRate([], 0.7), successRate(0, 0));
  });

  it('holds p̂, and is worth between an attempt a cluster and all of them', () => {
    const clusters = fc.array(
      fc.tuple(fc.nat(20), fc.nat(20)).map(([k, more]) => ({ successes: k, attempts: k + more })),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(clusters, (some) => {
        const { p, low, high, attempts, effective = NaN } = clusteredRate(some, 0.7);
        if (p === null) return attempts === 0 && effective === 0;
        const least = effectiveAttempts(some, 1);
        assert.ok(0 <= low && low <= p && p <= high && high <= 1);
        return effective >= least - 1e-9 && effective <= attempts + 1e-9;
      }),
    );
  });

  it('at the ends says what so many clusters can say', () => {
    const none = clusteredRate(of(Array.from({ length: 14 }, () => 0)), assumedCorrelation.task);
    assert.equal(none.low, 0);
    assert.ok(none.high > successRate(0, 14 * 8).high && none.high <= successRate(0, 14).high, `${none.high}`);
    const all = clusteredRate(of(Array.from({ length: 14 }, () => 8)), assumedCorrelation.task);
    close(all.low, 1 - none.high);
    assert.equal(all.high, 1);
    // One success more or less moves it little.
    const one = clusteredRate(of([1, ...Array.from({ length: 13 }, () => 0)]), assumedCorrelation.task);
    assert.ok(Math.abs(one.high - none.high) < 0.1, `${one.high} beside ${none.high}`);
  });

  it('of one cluster is as good as that of one attempt', () => {
    assert.deepEqual(clusteredRate(of([4]), 0.7), successRate(4, 8, 1));
  });

  it('of totals alone rests on what is assumed', () => {
    const known = clusteredRate(of([0, 0, 0, 0]), 0.7);
    close(assumedRate({ successes: 0, attempts: 32 }, 4, 0.7).high, known.high);
    close(assumedRate({ successes: 0, attempts: 32 }, 4, 0.2).high, clusteredRate(of([0, 0, 0, 0]), 0.2).high);
    assert.deepEqual(assumedRate({ successes: 2, attempts: 5 }, 5, 0.7), successRate(2, 5));
    assert.deepEqual(assumedRate({ successes: 0, attempts: 0 }, 3, 0.7), successRate(0, 0));
  });

  it('of families borrows the correlation of all tasks, and is Wilson’s of a single task', () => {
    const { families, epoch } = epochRates([of([8, 0, 8, 0]), of([0, 0, 0, 0]), of([5])]);
    const rho = correlation([of([8, 0, 8, 0]), of([0, 0, 0, 0])], assumedCorrelation.task);
    close(families[1]?.effective ?? NaN, 32 / (1 + 7 * rho));
    assert.ok((families[1]?.high ?? 0) > 0.3, 'four tasks that failed say little of a fifth');
    assert.deepEqual(families[2], successRate(5, 8));
    assert.equal(epoch.attempts, 72);
  });

  it('of an epoch assumes what tasks have where every family is one, else what families have', () => {
    const none = (tasks: number): Cluster[] => of(new Array<number>(tasks).fill(0));
    const assumed = (sizes: readonly number[], rho: number): SuccessRate =>
      clusteredRate(
        sizes.map((n) => total(none(n))),
        rho,
      );
    for (const [sizes, rho] of [
      [new Array<number>(14).fill(1), assumedCorrelation.task],
      [new Array<number>(14).fill(2), assumedCorrelation.family],
      [[...new Array<number>(13).fill(1), 2], assumedCorrelation.family],
    ] as const) {
      const { epoch } = epochRates(sizes.map(none));
      assert.deepEqual(epoch, assumed(sizes, rho));
      assert.ok((epoch.effective ?? 0) > 14, 'worth more than an attempt a family');
    }
  });

  it('of several epochs rests on what each is worth', () => {
    const one = successRate(100, 400, 40);
    close(pooled([one, one]).effective ?? NaN, 80);
    assert.equal(pooled([successRate(1, 2), successRate(3, 7)]).effective, 9);
    close(pooled([successRate(10, 100, 10), successRate(10, 100)]).effective ?? NaN, 200 ** 2 / (1000 + 100));
    assert.deepEqual(pooled([successRate(0, 0)]), successRate(0, 0));
    assert.deepEqual(pooled([successRate(0, 0), successRate(1, 2)]), successRate(1, 2));
  });

  it('decides how far a difference may be off', () => {
    const narrow = successDifference(successRate(100, 400), successRate(130, 400));
    const wide = successDifference(successRate(100, 400, 40), successRate(130, 400, 40));
    assert.ok(narrow.low > 0 && wide.low < 0 && wide.d === narrow.d);
  });
});

describe('95 % intervals hold the truth', function () {
  const draws = 2_000;
  /** Share of epochs, and of families, whose interval holds the true rate; and by Wilson on all attempts. */
  function covered(world: NestedWorld) {
    const source = new NestedAttempts(world, JSON.stringify(world));
    const share = { epoch: 0, family: 0, oldEpoch: 0, oldFamily: 0 };
    for (let i = 0; i < draws; i++) {
      const drawn = source.draw();
      const { epoch, families } = epochRates(drawn.map(({ tasks }) => tasks));
      share.epoch += Number(holds(epoch, world.p)) / draws;
      share.oldEpoch += Number(holds(successRate(epoch.successes, epoch.attempts), world.p)) / draws;
      const [first, rate] = [drawn[0], families[0]];
      if (first === undefined || rate === undefined) continue;
      share.family += Number(holds(rate, first.rate)) / draws;
      share.oldFamily += Number(holds(successRate(rate.successes, rate.attempts), first.rate)) / draws;
    }
    return share;
  }

  for (const families of [14, 64]) {
    for (const p of [0.15, 0.3, 0.5]) {
      for (const [family, task] of [
        [0.1, 0.6],
        [0.2, 0.77],
        [0.4, 0.5],
      ] as const) {
        it(`of ${families} families at p = ${p}, correlations ${family} and ${task}`, () => {
          const share = covered({ p, families, tasks: 4, attempts: 8, family, task });
          const told = JSON.stringify(share);
          assert.ok(share.epoch >= 0.92 && share.epoch <= 0.98, told);
          assert.ok(share.family >= 0.9 && share.family <= 0.985, told);
          assert.ok(share.oldEpoch < 0.6, `attempts taken for independent: ${told}`);
          assert.ok(share.oldFamily < 0.9, `attempts taken for independent: ${told}`);
        });
      }
    }
  }

  it('and of few families too, being wider than they need rather than narrower', () => {
    for (const families of [1, 2, 4, 8]) {
      const share = covered({ p: 0.3, families, tasks: 4, attempts: 8, family: 0.3, task: 0.6 });
      assert.ok(share.epoch >= 0.92, JSON.stringify(share));
    }
  });

  it('also where attempts are independent', () => {
    const share = covered({ p: 0.3, families: 64, tasks: 4, attempts: 8, family: 0, task: 0 });
    assert.ok(share.epoch >= 0.92 && share.epoch <= 0.98, JSON.stringify(share));
  });

  it('of a validation with several attempts a task', () => {
    const world = { p: 0.4, families: 100, tasks: 1, attempts: 4, family: 0.7, task: 0 };
    const source = new NestedAttempts(world, 'validation');
    let [now, old, pass] = [0, 0, 0];
    for (let i = 0; i < draws; i++) {
      const tasks = source.draw().flatMap((one) => one.tasks);
      const { successes, attempts } = total(tasks);
      now += Number(holds(clusteredRate(tasks, assumedCorrelation.task), world.p)) / draws;
      old += Number(holds(successRate(successes, attempts), world.p)) / draws;
      pass += Number(holds(meanPassAtK(tasks, 1), world.p)) / draws;
    }
    assert.ok(pass >= 0.95, `pass@1 counts tasks, not attempts: ${pass}`);
    assert.ok(now >= 0.92 && now <= 0.98 && old < 0.85, `${now}, ${old}`);
  });
});
