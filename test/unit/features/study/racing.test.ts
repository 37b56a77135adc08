import assert from 'node:assert/strict';
import { halve } from '../../../../src/features/study/core/racing.ts';
import { plannedStudy, summaryOf } from '../../../support/study/plannedStudy.ts';

describe('Racing', () => {
  it('by halving keeps the arm that reaches the score, not the one that makes few rollouts', () => {
    const { study, plan } = plannedStudy({
      ...{ seeds: [1, 2], budget: { tokens: 1_000_000 } },
      arms: { ref: {}, long: { 'curriculum.alpha': 0.6 }, quick: { 'curriculum.alpha': 0.4 } },
      measures: [{ kind: 'reaches', score: 0.5, last: 1 }],
    });
    const armOf = new Map(plan.members.map(({ name, arm }) => [name, arm]));
    const dropped = halve(study, plan, new Map(), 0.3, 1, 3, (name) =>
      armOf.get(name) === 'quick'
        ? summaryOf({ rollouts: 4000, validatedAt: [0, 2000], validation: [0.1, 0.55] })
        : summaryOf({ rollouts: 1500, validatedAt: [0, 1500], validation: [0.1, 0.2] }),
    );
    assert.deepEqual(dropped, [{ arm: 'long', why: 'stopped after 1 of 3 parts of the budget, at rank 3 of 3 arms.' }]);
  });

  it('by halving ranks no arm that was not measured after training', () => {
    const { study, plan } = plannedStudy({
      ...{ seeds: [1, 2], budget: { rollouts: 5120 } },
      arms: { ref: {}, a: { 'curriculum.alpha': 0.6 }, b: { 'curriculum.alpha': 0.4 }, c: { 'curriculum.alpha': 0.3 } },
    });
    const untrained = summaryOf({ validatedAt: [0], validation: [0.1] });
    const measured = summaryOf({ validatedAt: [0, 1000], validation: [0.1, 0.2] });
    assert.deepEqual(
      halve(study, plan, new Map(), 0.5, 1, 3, () => untrained),
      [],
    );
    const armOf = new Map(plan.members.map(({ name, arm }) => [name, arm]));
    const dropped = halve(study, plan, new Map(), 0.5, 1, 3, (name) =>
      ['a', 'b'].includes(armOf.get(name) ?? '') ? measured : untrained,
    );
    assert.deepEqual(
      dropped.map(({ arm }) => arm),
      ['b'],
    );
  });
});
