import assert from 'node:assert/strict';
import fc from 'fast-check';
import { prefixAdvantages } from '../../../../src/engine/math/prefixAdvantages.ts';

/** A text after the prompt 1 2: a plan, where there is one, and three tokens. */
const text = (family: string, plan: number | null, last: number, reward: number) => ({
  family,
  tokens: [1, 2, ...(plan === null ? [] : [plan]), 7, 8, last],
  spans: plan === null ? [[2, 5] as const] : [[2, 3] as const, [3, 6] as const],
  reward,
});

describe('advantages of texts after the same tokens', () => {
  it('are those of prime-rl’s check: rewards 1, 1, 0 give ⅓, ⅓, −⅔', () => {
    const found = prefixAdvantages([text('a', null, 3, 1), text('a', null, 4, 1), text('a', null, 5, 0)], 'none');
    assert.deepEqual(
      found.advantages.map(([one]) => one?.toFixed(6)),
      ['0.333333', '0.333333', '-0.666667'],
    );
    assert.deepEqual([found.groups, found.alike], [1, 0]);
  });

  it('compare plans by the mean of their texts, and texts within their plan', () => {
    // Plan 5 of family a: 1 and .5, mean .75. Plan 6 of family b: .25 and .25.
    const texts = [text('a', 5, 3, 1), text('a', 5, 4, 0.5), text('b', 6, 3, 0.25), text('b', 6, 4, 0.25)];
    const { advantages, groups, alike } = prefixAdvantages(texts, 'none');
    assert.deepEqual(advantages, [
      [0.25, 0.25],
      [0.25, -0.25],
      [-0.25, 0],
      [-0.25, 0],
    ]);
    assert.deepEqual([groups, alike], [3, 1]);
  });

  it('put texts of equal plans together, each plan being sampled on its own', () => {
    const { advantages, groups } = prefixAdvantages([text('a', 5, 3, 1), text('b', 5, 4, 0)], 'none');
    assert.deepEqual(advantages, [
      [0.5, 0.5],
      [-0.5, -0.5],
    ]);
    assert.equal(groups, 2);
  });

  it('divide by the sample deviation where that is asked for', () => {
    const { advantages } = prefixAdvantages([text('a', null, 3, 1), text('a', null, 4, 0)], 'group-std');
    // ±½ over √½ + 1e-6.
    assert.ok(Math.abs((advantages[0]?.[0] ?? 0) - 0.5 / (Math.SQRT1_2 + 1e-6)) < 1e-12);
  });

  it('are 0 for a text alone, and for other prompts', () => {
    const other = { ...text('b', null, 3, 0), tokens: [1, 9, 7, 8, 3] };
    assert.deepEqual(prefixAdvantages([text('a', null, 3, 1), other], 'none'), {
      advantages: [[0], [0]],
      groups: 0,
      alike: 0,
    });
  });

  it('sum to 0 over each group, whatever the order of the texts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ seed: fc.nat(2), last: fc.nat(3), reward: fc.double({ min: 0, max: 1, noNaN: true }) }), {
          minLength: 1,
          maxLength: 12,
        }),
        (drawn) => {
          const texts = drawn.map(({ seed, last, reward }) => ({
            ...{ family: String(seed), tokens: [seed, 4, last], spans: [[2, 3] as const], reward },
          }));
          const { advantages } = prefixAdvantages(texts, 'none');
          for (const seed of [0, 1, 2]) {
            const own = texts.flatMap(({ family }, i) => (family === String(seed) ? [advantages[i]?.[0] ?? NaN] : []));
            assert.ok(Math.abs(own.reduce((sum, one) => sum + one, 0)) < 1e-9);
          }
          const back = prefixAdvantages([...texts].reverse(), 'none').advantages.reverse();
          for (const [i, [one]] of advantages.entries())
            assert.ok(Math.abs((one ?? NaN) - (back[i]?.[0] ?? NaN)) < 1e-12);
        },
      ),
    );
  });
});
