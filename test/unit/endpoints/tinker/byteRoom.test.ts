import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { ByteRoom } from '../../../../src/endpoints/tinker/byteRoom.ts';

const { signal } = new AbortController();

describe('tinker: room for bytes', () => {
  it('lets in what fits, in its order, and a larger piece alone', async () => {
    const room = new ByteRoom(100);
    const entered: string[] = [];
    const enter = async (name: string, bytes: number) => {
      const leave = await room.take(bytes, signal);
      entered.push(name);
      return leave;
    };
    const first = await enter('first', 60);
    const huge = enter('huge', 500);
    const small = enter('small', 1);
    await soon();
    assert.deepEqual(entered, ['first'], 'what came later does not overtake');
    first();
    first();
    const leaveHuge = await huge;
    await soon();
    assert.deepEqual(entered, ['first', 'huge']);
    leaveHuge();
    (await small)();
    assert.deepEqual(entered, ['first', 'huge', 'small']);
  });

  it('forgets who gives up, and lets in who stood behind', async () => {
    const room = new ByteRoom(100);
    const leave = await room.take(50, signal);
    const giving = new AbortController();
    const large = room.take(80, giving.signal);
    const small = room.take(20, signal);
    giving.abort(new Error('given up'));
    await assert.rejects(large, /given up/);
    (await small)();
    leave();
    (await room.take(100, signal))();
  });

  it('grows while others wait', async () => {
    const room = new ByteRoom(10);
    const leave = await room.take(10, signal);
    const second = room.take(10, signal);
    room.resize(20);
    (await second)();
    leave();
  });
});
