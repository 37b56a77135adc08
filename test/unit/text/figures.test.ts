import assert from 'node:assert/strict';
import { inEnglish, speak } from '../../../src/launch/language.ts';
import { aboutDuration, duration } from '../../../src/shared/text/figures/durations.ts';
import { ends, interval, intervalOf, measured } from '../../../src/shared/text/figures/intervals.ts';
import { localMoment, moment, rowMoment, timeOfDay } from '../../../src/shared/text/figures/moments.ts';
import { notationOf } from '../../../src/shared/text/figures/notation.ts';
import {
  approximate,
  compact,
  count,
  fixed,
  inColumn,
  measure,
  nats,
  number,
  plural,
  rate,
  significant,
} from '../../../src/shared/text/figures/numbers.ts';
import { percent, percentToTenth, points, signed } from '../../../src/shared/text/figures/shares.ts';

const of = (successes: number, attempts: number, p: number | null, low: number, high: number) => ({
  ...{ successes, attempts, p, low, high },
});

describe('figures', () => {
  it('have as many digits as are asked for, and no sign when rounded to nothing', () => {
    assert.deepEqual([fixed(0.5, 3), fixed(-3.14, 1), fixed(-0.001, 2)], ['0.500', '−3.1', '0.00']);
    assert.deepEqual([rate(0.4666), rate(null)], ['0.47', '–']);
    assert.equal(significant(-0.012345, 2), '−0.012');
  });

  it('count exactly, and about where the last digits say nothing', () => {
    assert.deepEqual([0, -0.2, 7, 1234, 17_919.8, 1_000_000, -1500].map(count), [
      '0',
      '0',
      '7',
      '1,234',
      '17,920',
      '1,000,000',
      '−1,500',
    ]);
    assert.deepEqual([9_999, 738_604, 999_700, 7_670_000, 2_100_000_000].map(approximate), [
      '9,999',
      '739 k',
      '1 M',
      '7.67 M',
      '2.1 bn',
    ]);
    assert.deepEqual([0, 0.5, 800, 5000, -2500, 1_200_000].map(compact), ['0', '0.5', '800', '5 k', '−2.5 k', '1.2 M']);
  });

  it('measure to two digits below 10, three below 100', () => {
    assert.deepEqual([0.929, 5.3571, 57.91, 137.4, 0, 0.00423].map(measure), [
      '0.93',
      '5.4',
      '57.9',
      '137',
      '0',
      '0.0042',
    ]);
  });

  it('are as long as their size asks for, small ones not 0', () => {
    assert.deepEqual([0, 0.01234, 8.123, 512.4, 15_785.2, -0.5, 0.00000123].map(number), [
      '0',
      '0.0123',
      '8.12',
      '512',
      '15,785',
      '−0.5',
      '1.2e−6',
    ]);
    assert.deepEqual([null, 0, -2e-9, 0.00004, -0.0123, 8.06, 512.4].map(inColumn), [
      '–',
      '0',
      '0',
      '4e−5',
      '−0.012',
      '8.1',
      '512',
    ]);
  });

  it('take the noise of a divergence for 0', () => {
    assert.deepEqual([-8.2e-9, 0.00004, -0.0007, 0.0831].map(nats), ['0', '0', '−0.0007', '0.083']);
  });

  it('of differences have a sign, unless rounded to nothing', () => {
    assert.deepEqual([signed(8.46, 1), signed(-3, 1), signed(-0.01, 1)], ['+8.5', '−3.0', '0.0']);
    assert.deepEqual([0.084, -0.03, 0].map(points), ['+8.4', '−3.0', '0.0']);
  });

  it('of intervals have a third digit where it is narrow', () => {
    assert.equal(interval(0.46, 0.52), '0.46–0.52');
    assert.equal(interval(0.4262, 0.4318), '0.426–0.432');
    assert.deepEqual([intervalOf(of(0, 0, null, 0, 1)), intervalOf(of(48, 100, 0.48, 0.38, 0.58))], ['–', '0.38–0.58']);
    assert.equal(measured(of(48, 100, 0.48, 0.38, 0.58)), 'p̂ 0.48 [0.38, 0.58]');
    assert.equal(measured(of(0, 0, null, 0, 1)), 'p̂ –');
  });

  it('of durations are as people say them', () => {
    assert.deepEqual([0.04, 3.21, 9.96, 42, 59.7, 100, 164, 3599.9, 3840, 11_100].map(duration), [
      ...['0.0 s', '3.2 s', '10 s', '42 s', '1 min 00 s', '1 min 40 s', '2 min 44 s'],
      ...['1 h 00 min', '1 h 04 min', '3 h 05 min'],
    ]);
    assert.deepEqual([0.2, 40, 120, 3590, 11_100].map(aboutDuration), [
      '1 s',
      '40 s',
      '2 min',
      '1 h 00 min',
      '3 h 05 min',
    ]);
  });

  it('of shares never read as nothing or all where they are not', () => {
    const shares = [0, 0.0000023, 0.0004, 0.0062, 0.071, 0.5, 0.994, 0.9962, 0.99999, 1];
    const texts = [...['0 %', '0.00023 %', '0.04 %', '0.62 %', '7 %', '50 %', '99 %', '99.6 %', '99.9 %', '100 %']];
    assert.deepEqual(shares.map(percent), texts);
    assert.deepEqual([percentToTenth(0.425), percentToTenth(null)], ['42.5 %', '–']);
  });

  it('say one epoch and two epochs', () => {
    assert.deepEqual(
      [plural(1, 'epoch'), plural(2000, 'epoch'), plural(1, 'family', 'families')],
      ['1 epoch', '2,000 epochs', '1 family'],
    );
  });

  it('of moments are in the language of the texts', () => {
    const at = new Date(2026, 10, 21, 9, 30, 5).getTime();
    assert.match(moment(at), /^Nov 21, 2026, 9:30\sAM$/);
    assert.equal(rowMoment(at), 'Nov 21, 2026, 09:30');
    assert.equal(timeOfDay(at), '09:30:05');
    const berlin = (at: number): number => (new Date(at).getUTCMonth() === 6 ? -120 : -60);
    assert.equal(localMoment('2026-11-21T23:38:00.000Z', berlin), '2026-11-22 00:38');
    assert.equal(localMoment('2026-07-21T23:38:00.000Z', berlin), '2026-07-22 01:38');
  });
});

describe('figures in German', () => {
  before(() => speak({ '{0} bn': '{0} Mrd.' }, 'de'));
  after(() => speak({}, 'en'));

  it('have a comma before digits, and points between thousands', () => {
    assert.deepEqual([fixed(-0.5, 3), rate(0.14), count(1000), number(0.0123)], ['−0,500', '0,14', '1.000', '0,0123']);
    assert.deepEqual([approximate(7_670_000), compact(-2500)], ['7,67 M', '−2,5 k']);
    assert.deepEqual([percent(0.996), percentToTenth(0.425), points(0.084)], ['99,6 %', '42,5 %', '+8,4']);
    assert.deepEqual([percent(199 / 200), percent(0.9949), percent(0.9999)], ['99,5 %', '99 %', '99,9 %']);
    assert.deepEqual([signed(-0.01, 1), measure(5.36), duration(3.21)], ['0,0', '5,4', '3,2 s']);
  });

  it('stay apart in an interval', () => {
    assert.equal(interval(0.46, 0.52), '0,46–0,52');
    assert.equal(ends(points(-0.05), points(0.1)), '[−5,0; +10,0]');
  });

  it('have German dates', () => {
    const at = new Date(2026, 10, 21, 9, 30, 5).getTime();
    assert.equal(moment(at), '21.11.2026, 09:30');
    assert.match(rowMoment(at), /^21\. Nov\.? 2026, 09:30$/);
  });

  it('are English in work that records, and back after it', () => {
    assert.deepEqual([inEnglish(() => rate(0.14)), rate(0.14)], ['0.14', '0,14']);
    assert.equal(
      inEnglish(() => ends(rate(0.1), rate(0.2))),
      '[0.10, 0.20]',
    );
  });

  it('have English signs in a language that is not known', () => {
    assert.deepEqual(notationOf('qps-ploc'), { language: 'qps-ploc', decimal: '.', group: ',' });
  });
});
