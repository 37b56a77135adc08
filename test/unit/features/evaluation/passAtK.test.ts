import assert from 'node:assert/strict';
import { meanPassAtK, passAtK } from '../../../../src/engine/math/passAtK.ts';

/** Of all draws of k from n attempts, c of them right: the share that has a right one, counted. */
function counted(n: number, c: number, k: number): number {
  let all = 0;
  let some = 0;
  for (let drawn = 0; drawn < 2 ** n; drawn++) {
    const bits = drawn.toString(2).padStart(n, '0');
    if (bits.replaceAll('0', '').length !== k) continue;
    all += 1;
    if (bits.slice(0, c).includes('1')) some += 1;
  }
  return some / all;
}

describe('pass@k', () => {
  it('is the share of draws of k attempts that solve the task', () => {
    for (let n = 1; n <= 8; n++) {
      for (let c = 0; c <= n; c++) {
        for (let k = 1; k <= n; k++) {
          const difference = Math.abs(passAtK({ attempts: n, successes: c }, k) - counted(n, c, k));
          assert.ok(difference < 1e-12, `n ${n}, c ${c}, k ${k}: ${difference}`);
        }
      }
    }
  });

  it('stays exact where factorials overflow', () => {
    assert.ok(Math.abs(passAtK({ attempts: 10_000, successes: 1 }, 100) - 0.01) < 1e-12);
    assert.equal(passAtK({ attempts: 10_000, successes: 0 }, 5000), 0);
    assert.equal(passAtK({ attempts: 10_000, successes: 5001 }, 5000), 1);
  });

  it('of a benchmark is the mean over tasks with enough attempts, with Wilson’s interval over tasks', () => {
    const tries = [
      { attempts: 4, successes: 2 },
      { attempts: 4, successes: 0 },
      { attempts: 1, successes: 1 },
    ];
    const { tasks, value, low, high } = meanPassAtK(tries, 2);
    assert.equal(tasks, 2);
    // 1 − C(2, 2)/C(4, 2) = 5/6 of one task, 0 of the other.
    assert.ok(value !== null && Math.abs(value - 5 / 12) < 1e-12);
    assert.ok(low > 0.05 && low < value && value < high && high < 0.9, `${low} ${high}`);
    assert.deepEqual(meanPassAtK(tries, 5), { k: 5, tasks: 0, value: null, low: 0, high: 1 });
  });
});
