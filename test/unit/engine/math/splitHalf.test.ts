import assert from 'node:assert/strict';
import { coinFlip, CommonOdds, lowerTail, type Halves } from '../../../../src/engine/math/splitHalf.ts';
import { Rng } from '../../../../src/engine/random.ts';

const halves = (k: number, n: number, l: number, m: number): Halves => ({
  earlier: { successes: k, attempts: n },
  later: { successes: l, attempts: m },
});

const close = (actual: number, expected: number, tolerance = 1e-9): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

const odds = (p: number): number => p / (1 - p);
const chance = (of: number): number => of / (1 + of);

/** Successes of n attempts, drawn. */
function drawn(rng: Rng, n: number, p: number): number {
  let successes = 0;
  for (let i = 0; i < n; i++) if (rng.next() < p) successes += 1;
  return successes;
}

/** Share of tasks called a coin flip, whose odds really rise by `own` while those of the others rise by `others`. */
function called(start: number, own: number, others: number, n: number, draws: number): number {
  const rng = Rng.from('coin', start, own, others, n);
  let alarms = 0;
  for (let i = 0; i < draws; i++) {
    const seen = halves(drawn(rng, n, start), n, drawn(rng, n, chance(odds(start) * own)), n);
    if (coinFlip(seen, others) !== null) alarms += 1;
  }
  return alarms / draws;
}

describe('split halves', () => {
  it('have the exact tail of a worked example', () => {
    // Hypergeometric: 4 of 8 successes in the later half of 4 + 4 attempts, C(4,k)·C(4,4−k) of 70.
    close(lowerTail(halves(3, 4, 1, 4), 1), (1 + 16) / 70);
    close(lowerTail(halves(4, 4, 0, 4), 1), 1 / 70);
    // Odds ratio 2 weighs k by 2^k: 1, 32, 144, 128, 16.
    close(lowerTail(halves(3, 4, 1, 4), 2), 33 / 321);
    close(lowerTail(halves(0, 4, 4, 4), 2), 1);
  });

  it('stay exact with thousands of attempts', () => {
    const tail = lowerTail(halves(2500, 5000, 2500, 5000), 1);
    assert.ok(tail > 0.5 && tail < 0.52, String(tail));
    assert.ok(lowerTail(halves(2500, 5000, 2500, 5000), 3) < 1e-30);
  });

  it('have the common odds ratio of a worked example, one task left out', () => {
    const common = new CommonOdds();
    const [one, two] = [halves(2, 10, 6, 10), halves(3, 10, 5, 10)];
    common.add(one);
    common.add(two);
    // 6·8/20 and 2·4/20 of the first; 5·7/20 and 3·5/20 of the second.
    close(common.without(halves(0, 0, 0, 0)) ?? 0, (48 + 35) / (8 + 15));
    close(common.without(one) ?? 0, 35 / 15);
    assert.equal(new CommonOdds().without(halves(0, 0, 0, 0)), null);
    for (const onlyOneWay of [halves(0, 10, 6, 10), halves(6, 10, 0, 10)]) {
      const all = new CommonOdds();
      all.add(onlyOneWay);
      assert.equal(all.without(halves(0, 0, 0, 0)), null);
    }
  });

  it('call a task a coin flip that stays in the middle while the others rise', () => {
    assert.deepEqual(coinFlip(halves(6, 12, 6, 12), 12), { earlier: 0.5, later: 0.5, oddsRatio: 12 });
    // Just not: the others rose less, the task rose too, it has too few attempts, it is nearly solved, or it fell.
    assert.equal(coinFlip(halves(6, 12, 6, 12), 4), null);
    assert.equal(coinFlip(halves(6, 12, 9, 12), 12), null);
    assert.equal(coinFlip(halves(3, 5, 2, 5), 100), null);
    assert.equal(coinFlip(halves(10, 12, 9, 12), 100), null);
    assert.equal(coinFlip(halves(10, 12, 2, 12), 12), null);
    assert.equal(coinFlip(halves(6, 12, 6, 12), null), null);
    // At its limits: six attempts a half, p̂ of a quarter and of three quarters.
    assert.notEqual(coinFlip(halves(3, 6, 3, 6), 100), null);
    assert.equal(coinFlip(halves(3, 5, 3, 6), 100), null);
    assert.equal(coinFlip(halves(3, 6, 3, 5), 100), null);
    assert.notEqual(coinFlip(halves(3, 12, 3, 12), 50), null);
    assert.equal(coinFlip(halves(2, 12, 3, 12), 1000), null);
    assert.notEqual(coinFlip(halves(9, 12, 9, 12), 50), null);
    assert.equal(coinFlip(halves(10, 12, 9, 12), 1000), null);
  });

  it('raise a false alarm of at most 1 % on tasks that learn as the others do, and find coins', () => {
    for (const [start, rise, n] of [
      [0.2, 8, 12],
      [0.3, 12, 12],
      [0.3, 4, 24],
      [0.5, 20, 12],
      [0.1, 20, 32],
      [0.4, 1, 32],
    ] as const) {
      const rate = called(start, rise, rise, n, 4000);
      // Three standard errors of 4,000 draws above 1 %.
      assert.ok(rate <= 0.015, `${start} ×${rise}, ${n} a half: ${rate}`);
    }
    assert.ok(called(0.5, 1, 12, 24, 1000) > 0.6);
  });
});
