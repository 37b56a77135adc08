/** Statistics of studies against SciPy and statsmodels: vectors.json, made by vectors.py beside it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Rng } from '../../../../src/engine/random.ts';
import {
  bootstrapTest,
  deviation,
  differenceOf,
  holm,
  mean,
  sequentialEvidence,
  signFlipTest,
  wilcoxonTest,
} from '../../../../src/engine/math/paired/tests.ts';
import { fewestSeeds, leastP, powerOf, seedsFor } from '../../../../src/features/study/core/power.ts';
import { pairedPower, studentCdf, studentQuantile } from '../../../../src/engine/math/paired/student.ts';

const numbers = z.array(z.number());
const vectorsSchema = z.strictObject({
  signFlip: z.array(z.strictObject({ d: numbers, p: z.number() })),
  wilcoxon: z.array(z.strictObject({ d: numbers, p: z.number() })),
  interval: z.array(z.strictObject({ d: numbers, low: z.number(), high: z.number() })),
  quantile: z.array(z.strictObject({ p: z.number(), freedom: z.number(), t: z.number() })),
  holm: z.array(z.strictObject({ p: numbers, adjusted: numbers })),
  power: z.array(z.strictObject({ d: z.number(), n: z.number(), level: z.number(), power: z.number() })),
  seeds: z.array(z.strictObject({ d: z.number(), level: z.number(), n: z.number() })),
  evidence: z.array(z.strictObject({ d: numbers, g: z.number(), e: z.number() })),
});
const vectors = vectorsSchema.parse(JSON.parse(readFileSync(new URL('vectors.json', import.meta.url), 'utf8')));

const near = (ours: number, theirs: number, tolerance = 1e-8): void => {
  assert.ok(Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(theirs)), `${ours} is not ${theirs}`);
};

describe('Statistics of studies', () => {
  it('sign flips as scipy.stats.permutation_test counts them', () => {
    for (const { d, p } of vectors.signFlip) near(signFlipTest(d).p, p);
    // The table of ../shared/curricula.md.
    assert.deepEqual(signFlipTest([0.125, 0.25, 0, 0.375, -0.125, 0.25]), { p: 0.1875, exact: true });
    assert.equal(signFlipTest([1, 2, 3, 4, 5]).p, 0.0625);
  });

  it('of more than twenty pairs patterns are drawn, near the exact share', () => {
    const many = Array.from({ length: 24 }, (_, i) => (i % 3 === 0 ? -1 : 1) * (1 + (i % 5)));
    const drawn = signFlipTest(many);
    assert.equal(drawn.exact, false);
    // 2²⁴ patterns of small whole numbers, counted by their sums.
    let counts = new Map([[0, 1]]);
    for (const d of many) {
      const next = new Map<number, number>();
      for (const [sum, n] of counts) for (const s of [sum + d, sum - d]) next.set(s, (next.get(s) ?? 0) + n);
      counts = next;
    }
    const observed = Math.abs(many.reduce((a, b) => a + b, 0));
    const extreme = [...counts].reduce((all, [sum, n]) => all + (Math.abs(sum) >= observed ? n : 0), 0);
    near(drawn.p, extreme / 2 ** 24, 0.005);
  });

  it('signed ranks as scipy.stats.wilcoxon has them', () => {
    assert.ok(vectors.wilcoxon.length >= 3);
    for (const { d, p } of vectors.wilcoxon) near(wilcoxonTest(d).p, p);
    assert.equal(wilcoxonTest([0, 0]).p, 1);
    assert.equal(wilcoxonTest([]).p, 1);
  });

  it('signed ranks of equal sizes are ties, whatever rounding makes of them', () => {
    const twentieths = [3, 7, 1, 12, 5, 17, 9, 2].map((k, i) =>
      i === 0 ? k / 20 - (k + 1) / 20 : (k + 1) / 20 - k / 20,
    );
    assert.ok(new Set(twentieths.map(Math.abs)).size > 1);
    assert.equal(wilcoxonTest(twentieths).p, wilcoxonTest([-1, 1, 1, 1, 1, 1, 1, 1]).p);
    assert.equal(wilcoxonTest([1, 2, 3, 0.3 - 0.1 - 0.2]).p, wilcoxonTest([1, 2, 3]).p);
  });

  it('runs that are equal but for rounding do not differ', () => {
    assert.equal(differenceOf(0.1 + 0.2, 0.3), 0);
    assert.equal(differenceOf(-0.1 - 0.2, -0.3), 0);
    assert.equal(differenceOf(0.5, 0.25), 0.25);
    assert.equal(differenceOf(1e-12, 0), 1e-12);
  });

  it('quantiles, intervals', () => {
    for (const { p, freedom, t } of vectors.quantile) {
      near(studentQuantile(p, freedom), t, 1e-7);
      near(studentCdf(-t, freedom), 1 - p, 1e-9);
    }
    for (const { d, low, high } of vectors.interval) {
      const half = (studentQuantile(0.975, d.length - 1) * deviation(d)) / Math.sqrt(d.length);
      near(mean(d) - half, low);
      near(mean(d) + half, high);
    }
  });

  it('Holm’s correction as statsmodels has it', () => {
    for (const { p, adjusted } of vectors.holm) {
      for (const [i, one] of holm(p).entries()) near(one, adjusted[i] ?? NaN);
    }
  });

  it('power and seeds for it as statsmodels’ TTestPower has them', () => {
    for (const { d, n, level, power } of vectors.power) near(pairedPower(d, n, level), power, 1e-5);
    for (const { d, level, n } of vectors.seeds) assert.equal(seedsFor('bootstrap', d, level), n);
    assert.equal(seedsFor('bootstrap', 0.001, 0.05), null);
  });

  it('power of exact tests is their own: none below their floor, whatever a t test has', () => {
    const mine = (test: 'sign-flip' | 'wilcoxon', d: number, n: number, level: number): number => {
      const rng = Rng.from('own power', n);
      const normal = (): number => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
      const tests = Array.from({ length: 300 }, () => Array.from({ length: n }, () => d + normal()));
      const p = test === 'sign-flip' ? signFlipTest : wilcoxonTest;
      return tests.filter((sample) => p(sample).p <= level).length / tests.length;
    };
    for (const test of ['sign-flip', 'wilcoxon'] as const) {
      // Two seeds, at 0.05 over two comparisons: "47 %; 1 more would make it 80 %", a t test would say.
      assert.equal(powerOf(test, 11.3, 2, 0.025), 0);
      assert.equal(seedsFor(test, 11.3, 0.025), 7);
      assert.equal(seedsFor(test, 11.3, 0.05), 6);
      for (const [d, n, level] of [
        [1.2, 7, 0.05],
        [2, 8, 0.0125],
        [1.2, 12, 0.0125],
        [1, 14, 0.01],
      ] as const) {
        near(powerOf(test, d, n, level), mine(test, d, n, level), 0.1);
      }
      const seeds = seedsFor(test, 2, 0.0125) ?? 0;
      assert.ok(powerOf(test, 2, seeds, 0.0125) >= 0.8 && powerOf(test, 2, seeds - 1, 0.0125) < 0.8);
      assert.equal(seedsFor(test, 0.001, 0.05), null);
    }
  });

  it('the fewest seeds are those with which p can fall below the strictest level', () => {
    assert.deepEqual(
      [0.05, 0.05 / 4, 0.05 / 10, 1e-4, 1e-6].map((level) => fewestSeeds('sign-flip', level)),
      [6, 8, 9, 15, null],
    );
    assert.equal(leastP('sign-flip', 8), signFlipTest([1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7]).p);
    assert.equal(leastP('wilcoxon', 6), wilcoxonTest([1, 2, 3, 4, 5, 6]).p);
    const many = Array.from({ length: 60 }, (_, i) => 1 + i / 10);
    assert.equal(leastP('sign-flip', 60), signFlipTest(many).p);
    assert.equal(leastP('bootstrap', 60), bootstrapTest(many).p);
  });

  it('the e-value is the Bayes factor that integration gives', () => {
    for (const { d, g, e } of vectors.evidence) near(sequentialEvidence(d, g), e, 1e-6);
    assert.equal(sequentialEvidence([1]), 1);
  });

  it('of equal differences has the limit of nearly equal ones', () => {
    near(sequentialEvidence([0.05, 0.05]), Math.sqrt(3));
    near(sequentialEvidence([0.05, 0.05]), sequentialEvidence([0.05, 0.050001]), 1e-6);
    near(sequentialEvidence([0.3 - 0.2, 0.2 - 0.1, 0.4 - 0.3, 0.6 - 0.5]), 5 ** 1.5);
    near(sequentialEvidence([0, 0, 0]), 0.5);
  });

  it('rarely mislead on a coarse measure either, checked after every seed', () => {
    const rng = Rng.from('coarse');
    const share = (): number => [1, 2, 3, 4].filter(() => rng.next() < 0.5).length / 4;
    let misled = 0;
    for (let study = 0; study < 1000; study++) {
      const d: number[] = [];
      while (d.length < 8 && sequentialEvidence(d) < 20) d.push(share() - share());
      misled += Number(sequentialEvidence(d) >= 20);
    }
    assert.ok(misled <= 50, `${misled} of 1,000`);
  });

  it('rarely mislead when checked after every seed: at most 5 in 100 studies without a difference', () => {
    let state = 12_345;
    const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
    let misled = 0;
    for (let study = 0; study < 1000; study++) {
      const d: number[] = [];
      for (let seed = 0; seed < 30; seed++) {
        d.push(normal());
        if (sequentialEvidence(d) >= 20) {
          misled += 1;
          break;
        }
      }
    }
    assert.ok(misled <= 60, `${misled} of 1,000`);
  });

  it('the bootstrap finds what is plain and not what is not', () => {
    assert.ok(bootstrapTest([1, 1.1, 0.9, 1.05, 0.95, 1]).p < 0.01);
    assert.ok(bootstrapTest([1, -1.1, 0.9, -1.05, 0.95, -0.7]).p > 0.5);
    assert.deepEqual([bootstrapTest([0, 0, 0]).p, bootstrapTest([0.1, 0.1, 0.1]).p], [1, 1 / 9]);
  });

  it('the bootstrap finds no difference where there is none, but for its level, of few seeds too', () => {
    const rng = Rng.from('null');
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
    for (const n of [2, 3, 4, 6, 10]) {
      let misled = 0;
      for (let study = 0; study < 200; study++) {
        misled += Number(bootstrapTest(Array.from({ length: n }, normal)).p <= 0.05);
      }
      assert.ok(misled <= 18, `${misled} of 200 with ${n} seeds`);
    }
    assert.deepEqual([leastP('bootstrap', 2), leastP('bootstrap', 3), fewestSeeds('bootstrap', 0.05)], [0.5, 1 / 9, 4]);
  });
});
