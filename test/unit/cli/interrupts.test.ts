import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { watchInterrupts } from '../../../src/cli/interrupts.ts';

describe('Ctrl-C', () => {
  it('pauses at the first press, however often it arrives, and ends at the second', () => {
    const source = new EventEmitter();
    const seen: string[] = [];
    let now = 1000;
    const watched = watchInterrupts(
      () => now,
      () => seen.push('pause'),
      () => seen.push('end'),
      source,
    );
    assert.equal(watched.signal.aborted, false);
    source.emit('SIGINT');
    assert.equal(watched.signal.aborted, true);
    // npm and the bootstrap pass on what the terminal has delivered already.
    now += 20;
    source.emit('SIGINT');
    source.emit('SIGINT');
    assert.deepEqual(seen, ['pause']);
    now += 1000;
    source.emit('SIGINT');
    assert.deepEqual(seen, ['pause', 'end']);
    watched.dispose();
    assert.deepEqual(source.eventNames(), []);
  });

  it('is one way among others to be asked to end', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP']) {
      const source = new EventEmitter();
      const watched = watchInterrupts(
        () => 0,
        () => undefined,
        () => assert.fail('ended'),
        source,
        Promise.resolve(true),
      );
      source.emit(signal);
      await setImmediate();
      assert.equal(watched.signal.aborted, true, signal);
    }
  });

  it('is not a terminal that hangs up, where the process was started without one', async () => {
    const source = new EventEmitter();
    const watched = watchInterrupts(
      () => 0,
      () => assert.fail('paused'),
      () => assert.fail('ended'),
      source,
      Promise.resolve(false),
    );
    assert.ok(source.emit('SIGHUP'), 'without a listener it would kill');
    await setImmediate();
    assert.equal(watched.signal.aborted, false);
    watched.dispose();
    assert.deepEqual(source.eventNames(), []);
  });
});
