/** Where a branch is judged otherwise, nothing that the earlier judge measured is mixed with what it measures. */
import assert from 'node:assert/strict';
import { successRate } from '../../../../src/engine/math/successRate.ts';
import { applyEvent, emptyState, type RunState } from '../../../../src/engine/state.ts';

const before: RunState = {
  ...emptyState,
  scores: new Map([[1, []]]),
  seedRates: new Map([['base.1', { p: 0.5, version: 'agent@0' }]]),
  seen: new Map([['e1.f0.v0', { p: 0.5, spread: 0.25, epoch: 1, draws: 2, written: 1 }]]),
};

const after = (field: string, state = before): RunState =>
  applyEvent(state, {
    ...{ v: 1, seq: 1, at: 0, type: 'settings.changed', epoch: 2, author: 'ada' },
    changes: [{ field, from: null, to: 'mine.ts' }],
  });

describe('epochs that are judged otherwise from then on', () => {
  for (const field of ['reward.file', 'rollouts.maxTokens']) {
    it(`forget rates of seeds, scores of tasks and the buffer: ${field}`, () => {
      const { scores, seedRates, seen } = after(field);
      assert.deepEqual([scores.size, seedRates.size], [0, 0]);
      assert.deepEqual([...seen], [['e1.f0.v0', { p: null, spread: null, epoch: 1, draws: 2, written: 1 }]]);
      assert.equal(before.seen.get('e1.f0.v0')?.p, 0.5, 'the state before stays as it was');
    });
  }

  it('forget the buffer alone where another curriculum rewards the environment, between epochs only', () => {
    const branched = after('curriculum.reward.file');
    assert.deepEqual([branched.scores.size, branched.seen, branched.seedRates], [0, before.seen, before.seedRates]);
    const started = applyEvent(before, {
      ...{ v: 1, seq: 0, at: 0, type: 'epoch.started', epoch: 2 },
      versions: { agent: { name: 'agent@0', handle: '' }, environment: { name: 'environment@0', handle: '' } },
      settings: { alpha: 0.5, beta: 10, lambda: 1, kMin: 0.25 },
    });
    assert.equal(after('curriculum.reward.file', started).scores.size, 1);
  });

  it('forget the signals of another kind of reward, not the counts', () => {
    const [family] = [
      {
        ...{ id: 'e1.f0', seed: null, origin: 'generated' as const, plan: '', estimate: 0.5, environmentReward: 0.2 },
        ...{ kept: 1, weight: 1, complexity: {}, successRate: successRate(1, 2) },
        tasks: [{ id: 'e1.f0.v0', successes: 1, attempts: 2, environmentReward: 0.2, weight: 1, signal: 0.2 }],
      },
    ];
    const begun = (kind: 'regret' | 'advantage') =>
      applyEvent(
        { ...before, rewardKind: 'regret', scores: new Map([[1, [family]]]) },
        {
          ...{ v: 1, seq: 0, at: 0, type: 'epoch.started', epoch: 2 },
          versions: { agent: { name: 'agent@0', handle: '' }, environment: { name: 'environment@0', handle: '' } },
          settings: { alpha: 0.5, beta: 10, lambda: 1, kMin: 0.25, reward: { kind, repetition: 0 } },
        },
      ).scores.get(1)?.[0]?.tasks[0];
    assert.equal(begun('regret')?.signal, 0.2);
    assert.deepEqual(begun('advantage'), {
      ...{ id: 'e1.f0.v0', successes: 1, attempts: 2, environmentReward: 0.2, weight: 1 },
    });
  });

  it('forget nothing by any other change', () => {
    const { scores, seen, seedRates } = after('curriculum.kMin');
    assert.deepEqual([scores, seen, seedRates], [before.scores, before.seen, before.seedRates]);
  });
});
