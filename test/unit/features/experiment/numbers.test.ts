import assert from 'node:assert/strict';
import { numberOf, stepped, twoReadings } from '../../../../webview/lib/components/numbers.ts';

describe('numbers in a field', () => {
  it('are read as people write them', () => {
    assert.equal(numberOf(' 0.4 ', false), 0.4);
    assert.equal(numberOf('0,4', false), 0.4);
    assert.equal(numberOf('1e-6', false), 1e-6);
    assert.equal(numberOf('-2', false), -2);
    assert.equal(numberOf('', false), null);
    for (const text of ['α', '1.2.3', '1,2,3', 'NaN', '1e999']) assert.equal(numberOf(text, false), undefined, text);
  });

  it('have groups of digits where they are whole, and are not guessed where a comma may mean either', () => {
    for (const text of ['1,000', '1.000', ' 1000 ']) assert.equal(numberOf(text, true), 1000, text);
    assert.equal(numberOf('-17,920,001', true), -17_920_001);
    assert.equal(numberOf('0,125', true), 0.125);
    assert.equal(numberOf('1,250', false), undefined);
    assert.deepEqual(twoReadings('1,250', false), [1250, 1.25]);
    for (const [text, value] of [
      ['0,125', 0.125],
      ['1,25', 1.25],
      ['1.250', 1.25],
      ['12,3456', 12.3456],
    ] as const) {
      assert.equal(numberOf(text, false), value, text);
    }
    assert.equal(twoReadings('1,250', true), null);
  });

  it('are stepped without the digits of binary fractions', () => {
    assert.equal(stepped(0.1, 1, 0.2, false), 0.3);
    assert.equal(stepped(0.3, -1, 0.1, false), 0.2);
    assert.equal(stepped(0.125, 1, 0.025, false), 0.15);
    assert.equal(stepped(0.5, 1, 0.01, true), 0.6);
  });

  it('go through 1, 2, 5, 10 where a ratio is the step', () => {
    assert.equal(stepped(1e-6, 1, 'ratio', false), 2e-6);
    assert.equal(stepped(2e-6, 1, 'ratio', false), 5e-6);
    assert.equal(stepped(1e-6, -1, 'ratio', false), 5e-7);
    assert.equal(stepped(0.0007, -1, 'ratio', false), 0.0005);
    assert.equal(stepped(100, 1, 'ratio', true), 1000);
    assert.equal(stepped(0, 1, 'ratio', false), 1);
    assert.equal(stepped(0, -1, 'ratio', false), 0);
  });
});
