import assert from 'node:assert/strict';
import { agreementOf, kappaOf, type LabelledAttempt } from '../../../../src/features/labels/core/agreement.ts';
import type { PersonVerdict } from '../../../../src/shared/records/label.ts';

const person = (author: string, verdict: PersonVerdict | null, ...labels: string[]) => ({ author, verdict, labels });

/** κ of a table of four cells, of any sum. */
function kappaBy([a = NaN, b = NaN, c = NaN, d = NaN]: readonly number[]): number {
  const n = a + b + c + d;
  const expected = ((a + b) * (a + c) + (c + d) * (b + d)) / n ** 2;
  return ((a + d) / n - expected) / (1 - expected);
}

/** The error of κ by its slopes in the shares of a multinomial: n·variance = Σ p·slope² − (Σ p·slope)². */
function errorOf(table: readonly number[]): number {
  const n = table.reduce((sum, count) => sum + count, 0);
  let [mean, square] = [0, 0];
  for (const [cell, count] of table.entries()) {
    const at = (step: number): number => kappaBy(table.map((other, i) => other / n + (i === cell ? step : 0)));
    const slope = (at(1e-5) - at(-1e-5)) / 2e-5;
    mean += (count / n) * slope;
    square += (count / n) * slope ** 2;
  }
  return Math.sqrt(Math.max(0, square - mean ** 2) / n);
}

describe('agreement of judge and people', () => {
  /** statsmodels 0.14, `inter_rater.cohens_kappa`: table [[a, b], [c, d]], kappa, std_kappa. */
  const vectors: readonly [[number, number, number, number], number, number][] = [
    [[20, 5, 10, 15], 0.4, 0.12699606293110033],
    [[40, 2, 7, 11], 0.6120689655172413, 0.11471047986427808],
    [[6, 2, 0, 4], 0.6666666666666667, 0.20286020648339484],
  ];
  for (const [[bothPass, judgeAlone, peopleAlone, bothFail], value, error] of vectors) {
    it(`has statsmodels’ κ and its error for ${bothPass}, ${judgeAlone}, ${peopleAlone}, ${bothFail}`, () => {
      const kappa = kappaOf({ bothPass, judgeAlone, peopleAlone, bothFail });
      assert.ok(kappa !== null && kappa.interval !== null);
      assert.ok(Math.abs(kappa.value - value) < 1e-12);
      assert.ok(Math.abs(kappa.interval.low - (value - 1.959963984540054 * error)) < 1e-12);
    });
  }

  it('has no κ of fewer than ten attempts, nor where both say the same of all', () => {
    assert.equal(kappaOf({ bothPass: 0, bothFail: 0, judgeAlone: 0, peopleAlone: 0 }), null);
    assert.equal(kappaOf({ bothPass: 12, bothFail: 0, judgeAlone: 0, peopleAlone: 0 }), null);
    assert.equal(kappaOf({ bothPass: 7, bothFail: 0, judgeAlone: 3, peopleAlone: 0 })?.value, 0);
    assert.equal(kappaOf({ bothPass: 5, bothFail: 4, judgeAlone: 0, peopleAlone: 0 }), null);
  });

  it('has an interval just where the error of κ is not zero, recomputed by the delta method', () => {
    let [without, compared] = [0, 0];
    const cells = [0, 1, 3, 8, 40];
    for (const bothPass of cells)
      for (const bothFail of cells)
        for (const judgeAlone of cells)
          for (const peopleAlone of cells) {
            const kappa = kappaOf({ bothPass, bothFail, judgeAlone, peopleAlone });
            if (kappa === null) continue;
            const error = errorOf([bothPass, judgeAlone, peopleAlone, bothFail]);
            compared += 1;
            if (kappa.interval === null) {
              without += 1;
              assert.ok(error < 1e-6, `${bothPass}, ${judgeAlone}, ${peopleAlone}, ${bothFail}: ${error}`);
            } else {
              const low = Math.max(-1, kappa.value - 1.959963984540054 * error);
              assert.ok(error > 1e-3 && Math.abs(kappa.interval.low - low) < 1e-6);
            }
          }
    assert.ok(without > 20 && compared > 2 * without);
    // Both say the same; one says the same of all; both always differ.
    for (const [bothPass, judgeAlone, peopleAlone, bothFail] of [
      [5, 0, 0, 5],
      [9, 0, 0, 1],
      [0, 10, 0, 30],
      [0, 5, 5, 0],
    ] as const) {
      assert.equal(kappaOf({ bothPass, judgeAlone, peopleAlone, bothFail })?.interval, null);
    }
  });

  it('counts what both judged, names what they differ on, and leaves out what people dispute', () => {
    const attempts: LabelledAttempt[] = [
      { trace: 'a', success: true, people: [person('anna', 'pass')] },
      { trace: 'b', success: true, people: [person('anna', 'fail', 'wrong-gold')] },
      { trace: 'c', success: false, people: [person('anna', 'pass'), person('ben', 'pass', 'wrong-gold')] },
      { trace: 'd', success: true, people: [person('anna', 'pass'), person('ben', 'fail')] },
      { trace: 'e', success: null, people: [person('ben', 'fail')] },
      { trace: 'f', success: true, people: [person('ben', null, 'pretty')] },
    ];
    const { share, people, labels, ...rest } = agreementOf(attempts);
    assert.deepEqual([share.successes, share.attempts], [1, 3]);
    assert.deepEqual([people.successes, people.attempts], [1, 2]);
    assert.deepEqual(labels, [
      { label: 'wrong-gold', attempts: 2, solved: 1 },
      { label: 'pretty', attempts: 1, solved: 1 },
    ]);
    assert.deepEqual(rest.table, { bothPass: 1, bothFail: 0, judgeAlone: 1, peopleAlone: 1 });
    assert.deepEqual(rest.differ, { judgeAlone: ['b'], peopleAlone: ['c'] });
    assert.deepEqual([rest.labelled, rest.unjudged, rest.disputed], [6, 1, ['d']]);
  });
});
