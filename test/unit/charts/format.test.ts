import assert from 'node:assert/strict';
import {
  approximate,
  compact,
  count,
  duration,
  interval,
  measure,
  nats,
  number,
  percent,
  plural,
  signed,
} from '../../../webview/charts/format.ts';

describe('numbers in charts and tables', () => {
  it('counts exactly, and about where the last digit is noise', () => {
    assert.equal(count(17_920), '17,920');
    assert.equal(approximate(9_999), '9,999');
    assert.equal(approximate(738_604), '739 k');
    assert.equal(approximate(7_670_000), '7.67 M');
    assert.equal(approximate(2_100_000_000), '2.1 bn');
    assert.equal(compact(5_000), '5 k');
    assert.equal(compact(800), '800');
  });

  it('measures to two digits below 10, three below 100', () => {
    assert.deepEqual([0.929, 5.3571, 57.91, 137.4, 0, 0.00423].map(measure), [
      '0.93',
      '5.4',
      '57.9',
      '137',
      '0',
      '0.0042',
    ]);
  });

  it('writes small numbers so that they are not 0, and negative ones with a minus sign', () => {
    assert.equal(number(0.00000123), '1.2e−6');
    assert.equal(number(-0.25), '−0.25');
    assert.deepEqual([signed(8.46, 1), signed(-3, 1), signed(-0.01, 1)], ['+8.5', '−3.0', '0.0']);
  });

  it('takes the noise of a divergence for 0', () => {
    assert.deepEqual([-8.2e-9, 0.00004, -0.0007, 0.0831].map(nats), ['0', '0', '−0.0007', '0.083']);
  });

  it('gives narrow intervals a third digit', () => {
    assert.equal(interval(0.46, 0.52), '0.46–0.52');
    assert.equal(interval(0.4262, 0.4318), '0.426–0.432');
  });

  it('writes durations as people say them', () => {
    assert.deepEqual([3.21, 42, 164, 3_840].map(duration), ['3.2 s', '42 s', '2 min 44 s', '1 h 04 min']);
    assert.equal(duration(3_599.9), '1 h 00 min');
  });

  it('never rounds a share to nothing or to all that it is not', () => {
    const shares = [0, 0.0000023, 0.0004, 0.0062, 0.5, 0.994, 0.9962, 0.99999, 1];
    const texts = ['0 %', '0.00023 %', '0.04 %', '0.62 %', '50 %', '99 %', '99.6 %', '99.9 %', '100 %'];
    assert.deepEqual(shares.map(percent), texts);
  });

  it('says one epoch and two epochs', () => {
    assert.deepEqual(
      [plural(1, 'epoch'), plural(2, 'epoch'), plural(1, 'family', 'families')],
      ['1 epoch', '2 epochs', '1 family'],
    );
    assert.deepEqual([percent(0.863), percent(0.002), percent(0)], ['86 %', '0.2 %', '0 %']);
  });
});
