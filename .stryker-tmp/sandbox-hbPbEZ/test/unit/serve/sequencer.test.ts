import assert from 'node:assert/strict';
import { Sequencer } from '../../../src/serve/models/sequencer.ts';

describe('sequencer', () => {
  const logged = () => {
    const log: string[] = [];
    const task = (name: string) => () => {
      log.push(name);
      return Promise.resolve(name);
    };
    return { log, task };
  };

  it('runs by number, whatever the order of arrival', async () => {
    const sequencer = new Sequencer();
    const { log, task } = logged();
    const third = sequencer.run(3, task('3'));
    const second = sequencer.run(2, task('2'));
    assert.equal(sequencer.gap, 1);
    const first = sequencer.run(1, task('1'));
    assert.deepEqual(await Promise.all([first, second, third]), ['1', '2', '3']);
    assert.deepEqual(log, ['1', '2', '3']);
    assert.equal(sequencer.gap, null);
  });

  it('goes on after a failure, one at a time', async () => {
    const sequencer = new Sequencer();
    const { log, task } = logged();
    const failing = sequencer.run(1, async () => {
      await Promise.resolve();
      log.push('failed');
      throw new Error('no');
    });
    const next = sequencer.run(2, task('2'));
    await assert.rejects(failing, /no/);
    assert.equal(await next, '2');
    assert.deepEqual(log, ['failed', '2']);
  });

  it('runs what has no number behind what is there', async () => {
    const sequencer = new Sequencer();
    const { log, task } = logged();
    await Promise.all([sequencer.run(1, task('1')), sequencer.run(null, task('none')), sequencer.run(2, task('2'))]);
    assert.deepEqual(log, ['1', 'none', '2']);
  });

  it('knows the numbers that were used', () => {
    const sequencer = new Sequencer();
    const { task } = logged();
    void sequencer.run(1, task('1'));
    void sequencer.run(3, task('3'));
    assert.deepEqual(
      [1, 2, 3, 4].map((seq) => sequencer.isUsed(seq)),
      [true, false, true, false],
    );
  });
});
