import { strict as assert } from 'node:assert';
import { EndpointError, type EndpointErrorReason } from '../../../../src/endpoints/endpointError.ts';
import { AdaptiveScheduler, type SchedulerOptions } from '../../../../src/endpoints/schedule/adaptiveScheduler.ts';
import { ManualTime } from '../../../support/endpoints/manualTime.ts';

const never = new AbortController().signal;
const range = (n: number) => Array.from({ length: n }, (_, i) => i);

const endpointError = (reason: EndpointErrorReason) =>
  new EndpointError(reason, 'it failed', { endpoint: 'http://a', request: 'POST /x', attempts: 1, remedy: 'Wait.' });

/** Work that waits until the test ends it. */
class Desk {
  readonly open: { item: number; replica: number; user: string; end: () => void; fail: (error: Error) => void }[] = [];
  aborted = 0;
  begun = 0;

  work =
    (user: string) =>
    (item: number, replica: number, signal: AbortSignal): Promise<number> =>
      new Promise((resolve, reject) => {
        const entry = {
          item,
          replica,
          user,
          end: () => leave(() => resolve(item)),
          fail: (error: Error) => leave(() => reject(error)),
        };
        const onAbort = () => {
          this.aborted += 1;
          entry.fail(new Error('aborted'));
        };
        const leave = (settle: () => void) => {
          signal.removeEventListener('abort', onAbort);
          this.open.splice(this.open.indexOf(entry), 1);
          settle();
        };
        signal.addEventListener('abort', onAbort);
        this.open.push(entry);
        this.begun += 1;
      });

  endAll(): void {
    for (const { end } of [...this.open]) end();
  }
}

describe('the scheduler', () => {
  let time = new ManualTime();
  let desk = new Desk();

  const make = (options: SchedulerOptions = {}) => {
    time = new ManualTime();
    desk = new Desk();
    return new AdaptiveScheduler({ time, ...options });
  };

  /** Rounds of `milliseconds` each, as a server of that speed gives them. */
  async function rounds(scheduler: AdaptiveScheduler, milliseconds: (inFlight: number) => number, count: number) {
    const sizes: number[] = [];
    for (let i = 0; i < count; i++) {
      sizes.push(desk.open.length);
      time.pass(milliseconds(desk.open.length));
      desk.endAll();
      await time.until(() => desk.open.length > 0 || scheduler.load.waiting === 0);
    }
    return sizes;
  }

  const feed = (scheduler: AdaptiveScheduler, n: number, user = 'a') => {
    const results: number[] = [];
    const done = (async () => {
      for await (const result of scheduler.each(user, range(n), desk.work(user), never)) results.push(result);
    })();
    return { results, done };
  };

  it('begins the most urgent of a user’s waiting work first, whenever it was asked for', async () => {
    const scheduler = make({ limit: 1, start: 1 });
    const each = (items: number[], user = 'a') =>
      Array.fromAsync(scheduler.each(user, items, desk.work(user), never, (item) => (item < 0 ? undefined : item)));
    const all = [each([3]), each([5, 1]), each([9, 8]), each([7, 2])];
    const begun: number[] = [];
    for (let i = 0; i < 7; i++) {
      await new Promise((resolve) => setImmediate(resolve));
      begun.push(...desk.open.map(({ item }) => item));
      desk.endAll();
    }
    await Promise.all(all);
    assert.deepEqual(begun, [3, 9, 8, 7, 5, 2, 1]);
  });

  it('starts at 64 and doubles a round up to its limit', async () => {
    const scheduler = make({ limit: 300 });
    const { done, results } = feed(scheduler, 2000);
    await time.until(() => desk.open.length === 64);
    assert.deepEqual((await rounds(scheduler, () => 100, 5)).slice(0, 4), [64, 128, 256, 300]);
    while (results.length < 2000) {
      desk.endAll();
      await time.until(() => desk.open.length > 0 || results.length === 2000);
    }
    await done;
    assert.deepEqual(
      [...results].sort((a, b) => a - b),
      range(2000),
    );
    assert.deepEqual(scheduler.load, { inFlight: 0, waiting: 0, room: 300 });
  });

  it('grows fourfold where two rounds have shown that more in flight makes nothing slower', async () => {
    const scheduler = make({ limit: 4000 });
    void feed(scheduler, 60_000);
    await time.until(() => desk.open.length === 64);
    assert.deepEqual(await rounds(scheduler, () => 1000, 6), [64, 128, 256, 1024, 4000, 4000]);
  });

  it('keeps doubling when answers become slightly slower', async () => {
    const scheduler = make({ limit: 4000 });
    void feed(scheduler, 60_000);
    await time.until(() => desk.open.length === 64);
    const sizes = await rounds(scheduler, (inFlight) => 1000 * (inFlight / 64) ** 0.2, 7);
    assert.deepEqual(sizes, [64, 128, 256, 512, 1024, 2048, 4000]);
  });

  it('is back at what a server can do soon after fourfold growth was too much', async () => {
    const scheduler = make({ limit: 10_000 });
    void feed(scheduler, 200_000);
    await time.until(() => desk.open.length === 64);
    // Serves 300 at once; more wait in its queue.
    const sizes = await rounds(scheduler, (inFlight) => 1000 * Math.max(1, inFlight / 300), 40);
    assert.deepEqual(sizes.slice(0, 5), [64, 128, 256, 1024, 1023], sizes.join(' '));
    const last = sizes.slice(5);
    assert(Math.min(...last) >= 300, `saturated: ${last.join(' ')}`);
    assert(Math.max(...last) <= 600, `not drowned: ${last.join(' ')}`);
  });

  it('holds at most a third more than it should once a refusal has ended fourfold growth', async () => {
    const scheduler = make({ limit: 10_000 });
    void feed(scheduler, 200_000);
    await time.until(() => desk.open.length === 64);
    await rounds(scheduler, () => 1000, 3);
    time.pass(10);
    scheduler.refused(0, time.now());
    assert.equal(scheduler.load.room, Math.floor(1024 * 0.7));
    const sizes = await rounds(scheduler, () => 1000, 4);
    assert(Math.max(...sizes.slice(1)) <= 716 + 4 * 30, sizes.join(' '));
  });

  it('makes room smaller once for a burst of refusals, and grows by little afterwards', async () => {
    const scheduler = make();
    void feed(scheduler, 10_000);
    await time.until(() => desk.open.length === 64);
    const began = time.now();
    time.pass(10);
    for (let i = 0; i < 20; i++) scheduler.refused(0, began);
    assert.equal(scheduler.load.room, 44);
    scheduler.refused(0, time.now());
    assert.equal(scheduler.load.room, 31);
    desk.endAll();
    await time.until(() => desk.open.length === 31);
    time.pass(100);
    desk.endAll();
    await time.until(() => desk.open.length > 31);
    assert.equal(scheduler.load.room, 36);
  });

  it('does not grow into a server that only becomes slower', async () => {
    const scheduler = make({ limit: 4000 });
    void feed(scheduler, 60_000);
    await time.until(() => desk.open.length === 64);
    // Serves 100 at once; more wait in its queue.
    const sizes = await rounds(scheduler, (inFlight) => 1000 * Math.max(1, inFlight / 100), 60);
    const last = sizes.slice(-40);
    assert(Math.min(...last) >= 100, `saturated: ${last.join(' ')}`);
    assert(Math.max(...last) <= 300, `not drowned: ${last.join(' ')}`);
  });

  it('grows into a server that batches: slower, and still more a second', async () => {
    const scheduler = make({ limit: 512 });
    void feed(scheduler, 60_000);
    await time.until(() => desk.open.length === 64);
    const sizes = await rounds(scheduler, (inFlight) => 1000 * (1 + inFlight / 200), 10);
    assert.equal(sizes.at(-1), 512);
  });

  it('learns that the work has become longer', async () => {
    const scheduler = make({ limit: 256 });
    void feed(scheduler, 60_000);
    await time.until(() => desk.open.length === 64);
    await rounds(scheduler, () => 1000, 5);
    const sizes = await rounds(scheduler, () => 4000, 60);
    assert(Math.min(...sizes) < 100);
    assert.equal(sizes.at(-1), 256);
  });

  it('holds still while the server’s queue is not empty, and halves when its memory is full', async () => {
    const scheduler = make();
    void feed(scheduler, 10_000);
    await time.until(() => desk.open.length === 64);
    scheduler.busy(0, { waiting: 5, full: false });
    assert.deepEqual(await rounds(scheduler, () => 100, 3), [64, 64, 64]);
    desk.open[0]?.end();
    await time.until(() => desk.open.length === 64);
    time.pass(1);
    scheduler.busy(0, { waiting: 5, full: true });
    assert.equal(scheduler.load.room, 32);
    scheduler.busy(0, { waiting: 5, full: true });
    assert.equal(scheduler.load.room, 32);
  });

  it('gives users fair turns, however much one of them has to do', async () => {
    const scheduler = make({ limit: 10 });
    void feed(scheduler, 1000, 'generate');
    await time.until(() => desk.open.length === 10);
    void feed(scheduler, 1000, 'attempt');
    const count = (user: string) => desk.open.filter((entry) => entry.user === user).length;
    for (let i = 0; i < 30; i++) {
      desk.open[0]?.end();
      await time.until(() => desk.open.length === 10);
    }
    assert.deepEqual([count('generate'), count('attempt')], [5, 5]);
  });

  it('begins no more than is taken', async () => {
    const scheduler = make({ limit: 4 });
    const results = scheduler.each('a', range(100), desk.work('a'), never);
    const first = results.next();
    await time.until(() => desk.open.length === 4);
    for (let i = 0; i < 10; i++) {
      desk.endAll();
      await new Promise(setImmediate);
    }
    assert.equal(desk.begun, 8, 'one was taken, a roomful is kept');
    assert.equal((await first).value, 0);
    assert.equal(desk.open.length, 0);
    for (const n of [1, 2, 3, 4]) assert.equal((await results.next()).value, n);
    assert.equal(desk.begun, 12);
    await results.return(undefined);
  });

  it('aborts what is under way when it is left early or aborted', async () => {
    const scheduler = make({ limit: 4 });
    const stop = new AbortController();
    const taking = (async () => {
      for await (const result of scheduler.each('a', range(100), desk.work('a'), stop.signal)) {
        assert.equal(result, 0);
        break;
      }
    })();
    await time.until(() => desk.open.length === 4);
    desk.open[0]?.end();
    await taking;
    await time.until(() => desk.open.length === 0);
    const all = Array.fromAsync(scheduler.each('a', range(100), desk.work('a'), stop.signal));
    await time.until(() => desk.open.length === 4);
    stop.abort(new Error('pause'));
    await assert.rejects(all, /pause/);
    await time.until(() => scheduler.load.inFlight === 0);
    assert.equal(desk.aborted >= 7, true);
    await assert.rejects(scheduler.each('a', [1], desk.work('a'), stop.signal).next(), /pause/);
  });

  it('leaves the queue at once when aborted while waiting', async () => {
    const scheduler = make({ limit: 1 });
    void scheduler.each('a', [0], desk.work('a'), never).next();
    const stop = new AbortController();
    const waiting = scheduler.each('b', [1, 2], desk.work('b'), stop.signal).next();
    assert.equal(scheduler.load.waiting, 2);
    stop.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    assert.equal(scheduler.load.waiting, 0);
    desk.endAll();
  });

  it('after a failure begins nothing more, yields what was under way, then throws', async () => {
    const scheduler = make({ limit: 4 });
    const results: number[] = [];
    const all = (async () => {
      for await (const result of scheduler.each('a', range(100), desk.work('a'), never)) results.push(result);
    })();
    await time.until(() => desk.open.length === 4);
    desk.open[1]?.fail(endpointError('credentials'));
    await new Promise(setImmediate);
    assert.equal(desk.open.length, 3);
    desk.endAll();
    await assert.rejects(all, /it failed/);
    assert.deepEqual(results, [0, 2, 3]);
  });

  it('balances replicas, gives the work of a failing one to the others, and lets it come back', async () => {
    const scheduler = make({ replicas: 3, limit: 4 });
    const { results, done } = feed(scheduler, 60);
    await time.until(() => desk.open.length === 12);
    const at = (replica: number) => desk.open.filter((entry) => entry.replica === replica);
    assert.deepEqual([at(0).length, at(1).length, at(2).length], [4, 4, 4]);
    time.pass(1);
    for (const entry of at(1)) entry.fail(endpointError('unreachable'));
    await time.until(() => scheduler.load.room === 8);
    for (let i = 0; i < 3; i++) {
      desk.endAll();
      await time.until(() => desk.open.length === 8);
      assert.equal(at(1).length, 0);
    }
    time.pass(5000);
    desk.open[0]?.end();
    await time.until(() => at(1).length > 0);
    assert.equal(at(1).length, 1, 'a single piece first');
    at(1)[0]?.end();
    await time.until(() => at(1).length > 1);
    while (results.length < 60) {
      desk.endAll();
      await new Promise(setImmediate);
    }
    await done;
    assert.deepEqual(
      [...results].sort((a, b) => a - b),
      range(60),
    );
  });

  it('fails a piece that every replica failed, and what is no fault of a server at once', async () => {
    const scheduler = make({ replicas: 2 });
    const asked: number[] = [];
    const failing = (reason: EndpointErrorReason) =>
      scheduler
        .each(
          'a',
          [0],
          (_item, replica) => {
            asked.push(replica);
            return Promise.reject(endpointError(reason));
          },
          never,
        )
        .next();
    await assert.rejects(failing('failed'), /it failed/);
    assert.deepEqual(asked.sort(), [0, 1]);
    asked.length = 0;
    await assert.rejects(failing('refused'), /it failed/);
    assert.equal(asked.length, 1);
  });
});
