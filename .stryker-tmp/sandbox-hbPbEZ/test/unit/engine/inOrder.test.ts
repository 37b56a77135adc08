import assert from 'node:assert/strict';
import { InOrder } from '../../../src/engine/inOrder.ts';

describe('work side by side, used in order', () => {
  it('uses the first first, however long it takes', async () => {
    const order = new InOrder<number>(10);
    const [slow, quick] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const used: number[] = [];
    const use = (value: number): Promise<void> => {
      used.push(value);
      return Promise.resolve();
    };
    await order.add(slow.promise, use);
    await order.add(quick.promise, use);
    quick.resolve(2);
    await Promise.resolve();
    slow.resolve(1);
    await order.finish();
    assert.deepEqual(used, [1, 2]);
  });

  it('lets no more than so many go on at once', async () => {
    const order = new InOrder<null>(2);
    const all = Array.from({ length: 3 }, () => Promise.withResolvers<null>());
    let begun = 0;
    const adding = (async () => {
      for (const { promise } of all) {
        begun += 1;
        await order.add(promise, () => Promise.resolve());
      }
    })();
    await new Promise(setImmediate);
    assert.equal(begun, 2);
    for (const { resolve } of all) resolve(null);
    await adding;
    await order.finish();
    assert.equal(begun, 3);
  });

  it('tells what failed, and uses nothing after it', async () => {
    const order = new InOrder<number>(10);
    const used: number[] = [];
    const use = (value: number): Promise<void> => {
      if (value === 1) throw new Error('full disk');
      used.push(value);
      return Promise.resolve();
    };
    await order.add(Promise.resolve(1), use);
    await order.add(Promise.resolve(2), use);
    await assert.rejects(order.finish(), /full disk/);
    assert.deepEqual(used, []);
  });
});
