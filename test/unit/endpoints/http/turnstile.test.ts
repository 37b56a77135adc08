import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Turnstile } from '../../../../src/endpoints/http/turnstile.ts';

describe('the turnstile of requests', () => {
  it('lets a few through at once, and the others in their order, a few in each turn of the event loop', async () => {
    const turnstile = new Turnstile(4);
    const passed: number[] = [];
    const pass = async (i: number): Promise<void> => {
      await turnstile.pass();
      passed.push(i);
    };
    const all = Promise.all(Array.from({ length: 11 }, (_, i) => pass(i)));
    const counts: number[] = [];
    for (let turn = 0; passed.length < 11; turn++) {
      assert(turn < 20, 'it stands still');
      await setImmediate();
      counts.push(passed.length - counts.reduce((sum, one) => sum + one, 0));
    }
    await all;
    assert.deepEqual(
      passed,
      Array.from({ length: 11 }, (_, i) => i),
    );
    assert(
      counts.every((count) => count <= 8),
      counts.join(),
    );
  });

  it('delays no request while few arrive together', async () => {
    const turnstile = new Turnstile(2);
    assert.equal(turnstile.pass(), null);
    await setImmediate();
    assert.equal(turnstile.pass(), null);
    assert.equal(turnstile.pass(), null);
    assert.notEqual(turnstile.pass(), null);
  });
});
