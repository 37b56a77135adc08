import assert from 'node:assert/strict';
import { Suggestions } from '../../../src/features/rewards/core/suggestions.ts';
import { successThreshold } from '../../../src/features/rewards/core/threshold.ts';
import type { Verdict } from '../../../src/shared/records/trace.ts';

const verdict = (reward: number, success = reward >= 0.8): Verdict => ({ success, reward, valid: true });
const failed: Verdict = { ...verdict(0), error: 'Error: not today' };

/** An attempt `task/number` of the task's family. */
const attempt = (id: string, before: Verdict, after: Verdict, family = id.split('/')[0] ?? '') => ({
  ...{ id, family, task: id.split('/')[0] ?? '', epoch: 1, purpose: 'train' as const },
  verdict: { before, after },
});

function picked(attempts: readonly ReturnType<typeof attempt>[], most = 10, pinned: readonly string[] = []): string[] {
  const suggestions = new Suggestions();
  for (const one of attempts) suggestions.add(one);
  return suggestions.pick(most, new Set(pinned)).map(({ id, reason }) => `${id} ${reason.kind}`);
}

describe('the threshold of success', () => {
  it('lies in the middle between the rewards that it divides', () => {
    assert.equal(successThreshold([0, 0.2, 0.7, 0.9, 1].map((reward) => verdict(reward))), 0.8);
  });

  it('puts the fewest attempts on its wrong side, where reward and success do not go together', () => {
    const odd = { success: true, reward: 0.1 };
    const at = successThreshold([odd, verdict(0.2), verdict(0.3), verdict(0.6), verdict(0.8), verdict(1)]);
    assert.ok(at !== null && Math.abs(at - 0.7) < 1e-9);
  });

  it('is not known where all are judged the same', () => {
    assert.equal(successThreshold([]), null);
    assert.equal(successThreshold([verdict(1), verdict(0.9)]), null);
    assert.equal(successThreshold([verdict(0), verdict(0.1)]), null);
  });
});

describe('suggested cases', () => {
  it('are attempts that both judge otherwise, the widest apart first, then those at the threshold', () => {
    assert.deepEqual(
      picked([
        attempt('a/1', verdict(1), verdict(1)),
        attempt('b/1', verdict(0.9), verdict(0.7)),
        attempt('c/1', verdict(1), verdict(0)),
        attempt('d/1', verdict(0.85), verdict(0.85)),
        attempt('e/1', verdict(1), failed),
      ]),
      ['c/1 disagreement', 'e/1 disagreement', 'd/1 threshold', 'b/1 disagreement'],
    );
  });

  it('say how they differ', () => {
    const suggestions = new Suggestions();
    suggestions.add(attempt('a/1', verdict(1), verdict(0.5)));
    suggestions.add(attempt('b/1', verdict(0.9), verdict(0.9)));
    const [differs, near] = suggestions.pick(2, new Set());
    assert.deepEqual(differs?.reason, {
      kind: 'disagreement',
      fate: { before: 'solved', after: 'failed' },
      reward: { before: 1, after: 0.5 },
    });
    assert.equal(near, undefined, '0.9 is not near 0.7');
    assert.deepEqual([suggestions.attempts, suggestions.threshold()], [2, 0.7]);
  });

  it('are of different tasks, never more than two of one, and of every kind', () => {
    const flips = Array.from({ length: 10 }, (_, i) => attempt(`a/${i}`, verdict(1), verdict(0)));
    const others = [attempt('b/1', verdict(1), verdict(0.1)), attempt('c/1', verdict(0.5), verdict(0.9))];
    assert.deepEqual(picked([...flips, ...others], 4), [
      'a/0 disagreement',
      'c/1 disagreement',
      'b/1 disagreement',
      'a/1 disagreement',
    ]);
    assert.equal(picked(flips, 10).length, 2);
  });

  it('of one kind come from different families', () => {
    const ids = ['a/1', 'b/1', 'c/1'].map((id, i) => attempt(id, verdict(1), verdict(0.1 * i), i < 2 ? 'f' : 'g'));
    assert.deepEqual(picked(ids, 2), ['a/1 disagreement', 'c/1 disagreement']);
  });

  it('that tell as much are the newest', () => {
    const newer = { ...attempt('b/1', verdict(1), verdict(0), 'a'), epoch: 2 };
    assert.deepEqual(picked([attempt('a/1', verdict(1), verdict(0)), newer], 1), ['b/1 disagreement']);
  });

  it('leave out what is a case already, and where both agree on 0 and 1 there is nothing at a threshold', () => {
    const flip = attempt('a/1', verdict(1), verdict(0));
    assert.deepEqual(picked([flip], 10, ['a/1']), []);
    assert.deepEqual(picked([attempt('a/1', verdict(1), verdict(1)), attempt('b/1', verdict(0), verdict(0))]), []);
  });
});
