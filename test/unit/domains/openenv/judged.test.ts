import assert from 'node:assert/strict';
import { judgedByFile, judgedByRewards, playedOf } from '../../../../src/domains/openenv/judged.ts';

const played = (...rewards: (number | null)[]) => ({ observations: rewards.map(() => ({})), rewards, done: true });

describe('the verdict on an episode of an OpenEnv server', () => {
  it('is success where the last reward is enough', () => {
    const verdict = judgedByRewards(played(null, 0.5, 1, null), 1, 'stop');
    assert.deepEqual(verdict, {
      ...{ success: true, reward: 1, valid: true },
      parts: { 'last reward': 1, 'sum of rewards': 1.5 },
    });
  });

  it('rewards the share of what is enough, never below 0 and never above 1', () => {
    const rewards = (last: number, solvedAt: number) => judgedByRewards(played(null, last), solvedAt, 'stop');
    assert.deepEqual([rewards(5, 10).reward, rewards(5, 10).success], [0.5, false]);
    assert.deepEqual([rewards(-1, 10).reward, rewards(30, 10).reward, rewards(30, 10).success], [0, 1, true]);
    assert.equal(judgedByRewards(played(null, null), 1, 'stop').success, false);
  });

  it('counts an episode that was cut off as not valid', () => {
    assert.equal(judgedByRewards(played(0.1), 1, 'turns').valid, false);
  });

  it('is what a function of the file gives', () => {
    assert.equal(judgedByFile(true, 'stop').success, true);
    assert.equal(judgedByFile(0.5, 'stop').reward, 0.5);
    assert.match(judgedByFile('yes', 'stop').error ?? '', /must be a number/);
  });

  it('follows from what a trace keeps', () => {
    const steps = [
      { observation: { a: 1 }, reward: null, done: false },
      { observation: { a: 2 }, reward: 0.3, done: true },
    ];
    assert.deepEqual(playedOf({ steps }), { observations: [{ a: 1 }, { a: 2 }], rewards: [null, 0.3], done: true });
    assert.equal(playedOf({}), null);
  });
});
