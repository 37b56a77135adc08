import assert from 'node:assert/strict';
import { numberOf, stepped } from '../../../../webview/lib/components/numbers.ts';

describe('numbers in a field', () => {
  it('are read as people write them', () => {
    assert.equal(numberOf(' 0.4 '), 0.4);
    assert.equal(numberOf('0,4'), 0.4);
    assert.equal(numberOf('1e-6'), 1e-6);
    assert.equal(numberOf('-2'), -2);
    assert.equal(numberOf(''), null);
    for (const text of ['α', '1.2.3', '1,2,3', 'NaN', '1e999']) assert.equal(numberOf(text), undefined, text);
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
