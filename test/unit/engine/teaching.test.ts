/** How much an epoch's tasks can teach, by hand. */
import assert from 'node:assert/strict';
import { teaching } from '../../../src/engine/math/teaching.ts';

const kernel = { alpha: 0.5, beta: 10, kMin: 0.25 };
const perTask = { ...kernel, reward: { kind: 'learnability' as const, repetition: 1 } };

/** A family of tasks with these successes of 4 attempts each. */
const family = (...successes: number[]) => ({ tasks: successes.map((k) => ({ successes: k, attempts: 4 })) });

describe('what tasks can teach', () => {
  it('tells a mixture of trivial and impossible tasks from tasks that are learnable', () => {
    assert.deepEqual(teaching([family(0, 4), family(4, 0)], kernel), {
      ...{ tasks: 4, mixed: 0, learnability: 0, reliability: null },
    });
    // 2 of 4: 2·2/(4·3) = ⅓; 1 of 4: 3/12.
    assert.deepEqual(teaching([family(2, 1), family(4, 0)], kernel), {
      ...{ tasks: 4, mixed: 0.5, learnability: (1 / 3 + 1 / 4) / 4, reliability: null },
    });
  });

  it('counts by rewards where they say more than successes', () => {
    const partial = {
      tasks: [
        { successes: 0, attempts: 4, teaches: true },
        { successes: 2, attempts: 4, teaches: false },
      ],
    };
    assert.equal(teaching([partial, family(0, 2)], kernel)?.mixed, 0.5);
  });

  it('leaves out tasks with fewer than two judged attempts', () => {
    const single = {
      tasks: [
        { successes: 1, attempts: 1 },
        { successes: 0, attempts: 0 },
      ],
    };
    assert.equal(teaching([single], kernel), null);
    assert.equal(teaching([single, family(2)], kernel)?.tasks, 1);
  });

  it('is wholly reliable where both halves of each family agree, and not at all where they contradict', () => {
    const agreeing = Array.from({ length: 8 }, (_, i) => family(i % 3, i % 3));
    assert.ok(Math.abs((teaching(agreeing, kernel)?.reliability ?? 0) - 1) < 1e-12);
    assert.ok(Math.abs((teaching(agreeing, perTask)?.reliability ?? 0) - 1) < 1e-12);
    const contradicting = Array.from({ length: 8 }, (_, i) => family(i % 2 === 0 ? 2 : 0, i % 2 === 0 ? 0 : 2));
    assert.ok(Math.abs((teaching(contradicting, perTask)?.reliability ?? 0) + 1) < 1e-12);
  });

  it('steps correlations up by Spearman and Brown', () => {
    // R of the halves under learnability: 0 or ¼. Of eight pairs six agree, three of each: r = ½, so ⅔.
    const families = [
      [0, 0],
      [0, 0],
      [0, 0],
      [2, 2],
      [2, 2],
      [2, 2],
      [0, 2],
      [2, 0],
    ].map((pair) => family(...pair));
    assert.ok(Math.abs((teaching(families, perTask)?.reliability ?? 0) - 2 / 3) < 1e-12);
  });

  it('knows no reliability of fewer than eight families, or of a reward for change', () => {
    const few = Array.from({ length: 7 }, (_, i) => family(i % 3, i % 3));
    assert.equal(teaching(few, kernel)?.reliability, null);
    const change = { ...kernel, reward: { kind: 'progress' as const, repetition: 1 } };
    assert.equal(teaching([...few, family(1, 1)], change)?.reliability, null);
  });
});
