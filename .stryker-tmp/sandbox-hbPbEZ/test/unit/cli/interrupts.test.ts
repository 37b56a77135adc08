import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
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

  it('is one way among others to be asked to end', () => {
    for (const signal of ['SIGTERM', 'SIGHUP']) {
      const source = new EventEmitter();
      const watched = watchInterrupts(
        () => 0,
        () => undefined,
        () => assert.fail('ended'),
        source,
      );
      source.emit(signal);
      assert.equal(watched.signal.aborted, true, signal);
    }
  });
});
