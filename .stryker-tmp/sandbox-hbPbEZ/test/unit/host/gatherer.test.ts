import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Gatherer } from '../../../src/host/runs/gatherer.ts';

/** Lets promises settle. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

describe('host: gatherer', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('hands on at once when it has been quiet, and everything that comes together together', async () => {
    const told: string[][] = [];
    const gatherer = new Gatherer<string>(60_000, (values) => void told.push([...values]));
    for (const value of ['a', 'b', 'a']) gatherer.add(value);
    assert.deepEqual(told, []);
    mock.timers.tick(0);
    await settle();
    assert.deepEqual(told, [['a', 'b']]);
    // The next ones wait.
    gatherer.add('c');
    mock.timers.tick(1);
    gatherer.add('d');
    assert.equal(told.length, 1);
    mock.timers.tick(60_000);
    await settle();
    assert.deepEqual(told, [
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('never hands on while the last time is under way, and loses nothing that came meanwhile', async () => {
    const told: string[][] = [];
    let done = (): void => undefined;
    const gatherer = new Gatherer<string>(0, (values) => {
      told.push([...values]);
      return new Promise<void>((resolve) => (done = resolve));
    });
    gatherer.add('a');
    mock.timers.tick(0);
    gatherer.add('b');
    mock.timers.tick(10);
    await settle();
    assert.deepEqual(told, [['a']]);
    done();
    await settle();
    mock.timers.tick(10);
    assert.deepEqual(told, [['a'], ['b']]);
  });

  it('is silent once it is disposed', () => {
    const told: unknown[] = [];
    const gatherer = new Gatherer<string>(0, (values) => void told.push(values));
    gatherer.add('a');
    gatherer.dispose();
    gatherer.add('b');
    mock.timers.tick(1000);
    assert.deepEqual(told, []);
  });
});
