import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { Guard, StrayFailure } from '../../../src/launch/strayFailures.ts';
import { ManualTime } from '../../support/endpoints/manualTime.ts';

/** A process that several work in. */
class Stage {
  readonly source = new EventEmitter();
  readonly time = new ManualTime();
  readonly told: string[] = [];

  guard(shared: boolean): Guard {
    const onFailure = (failure: StrayFailure) => this.told.push(failure.message);
    return new Guard({ time: this.time, shared, onFailure, source: this.source });
  }

  fail(message: string, event = 'unhandledRejection'): void {
    this.source.emit(event, new Error(message));
  }
}

const never = (): Promise<never> => new Promise(() => undefined);

describe('launch: failures that nothing waits for', () => {
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    it(`ask the work that they belong to to end (${event})`, async () => {
      const stage = new Stage();
      const guard = stage.guard(true);
      const done = guard.run(async () => {
        await Promise.resolve();
        stage.fail('The socket broke.', event);
        assert(guard.signal.aborted);
        return 'ended';
      });
      assert.equal(await done, 'ended');
      assert(guard.failure instanceof StrayFailure);
      assert.equal(guard.signal.reason, guard.failure);
      assert.match(guard.failure.message, /nothing waited for: The socket broke\. Resume the run/);
      assert.equal(guard.abandoned, false);
      guard.dispose();
      assert.equal(stage.source.listenerCount(event), 0);
    });
  }

  it('of others who share the process are none of its own', async () => {
    const stage = new Stage();
    const [mine, yours] = [stage.guard(true), stage.guard(true)];
    await mine.run(() => {
      stage.fail('mine');
      return Promise.resolve();
    });
    stage.fail('foreign');
    assert.equal(mine.failure?.message.includes('mine'), true);
    assert.equal(yours.failure, null);
    assert.equal(stage.told.length, 1);
  });

  it('are its own whoever began them where it has the process to itself', () => {
    const stage = new Stage();
    const guard = stage.guard(false);
    stage.fail('foreign');
    assert.match(guard.failure?.message ?? '', /foreign/);
  });

  it('are all told, and the first is why it ended', async () => {
    const stage = new Stage();
    const guard = stage.guard(false);
    stage.fail('first');
    stage.source.emit('uncaughtException', 'second, and no error');
    assert.match(guard.failure?.message ?? '', /first/);
    assert.match(stage.told[1] ?? '', /second, and no error/);
    await Promise.resolve();
  });

  it('abandon work that does not end after them', async () => {
    const stage = new Stage();
    const guard = stage.guard(true);
    const done = guard.run(() => {
      stage.fail('stuck');
      return never();
    });
    const landed = done.catch((error: unknown) => error);
    stage.time.pass(20_000);
    assert.equal(await landed, guard.failure);
    assert(guard.abandoned);
  });

  it('need not be waited for once the work has ended', async () => {
    const stage = new Stage();
    const guard = stage.guard(true);
    await guard.run(() => {
      stage.fail('late');
      return Promise.resolve();
    });
    guard.dispose();
    stage.time.pass(20_000);
    assert.equal(guard.abandoned, false);
  });
});
