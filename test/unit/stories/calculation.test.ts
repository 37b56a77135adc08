import assert from 'node:assert/strict';
import fc from 'fast-check';
import { execute } from '../../../src/domains/shipped/stories.calculation.ts';

describe('the calculation of a story', () => {
  const right: [string, string, number][] = [
    ['4 * 6 - 15', '9', 2],
    ['(3 + 4) * 2', '14', 2],
    ['0.1 + 0.2', '0.3', 1],
    ['10 / 4', '2.5', 1],
    ['1 / 3 * 3', '1', 2],
    ['100 - 20%', '99.8', 1],
    ['80 * 25% ', '20', 1],
    ['80 * (1 - 15/100)', '68', 3],
    ['-3 + 5', '2', 1],
    ['3 × 4 ÷ 2', '6', 2],
    ['3 \\times 4 \\div 2', '6', 2],
    ['\\frac{12}{4} + 1', '4', 2],
    ['\\( 12 - 5 \\)', '7', 1],
    ['`12 - 5`', '7', 1],
    ['$1,200 - $200', '1000', 1],
    ['12 - 5 = 7', '7', 1],
    ['12 - 5 = 7 apples', '7', 1],
    ['boxes = 4 * 6\nboxes - 15', '9', 2],
    ['boxes = 4 * 6 = 24; left = boxes - 15', '9', 2],
    ['boxes sold = 4 * 6\nboxes sold - 15', '9', 2],
    ['1. 4 * 6 = 24\n2. 24 - 15 = 9', '9', 2],
    ['[12 - (2 + 3)] * 2.', '14', 3],
    ['10 / 3 = 3.33\n6 / 3', '2', 2],
  ];
  for (const [text, value, steps] of right)
    it(`${JSON.stringify(text)} is ${value}`, () => {
      const executed = execute(text);
      assert.deepEqual([executed.value, executed.steps], [value, steps]);
    });

  const wrong: [string, RegExp][] = [
    ['', /there is no calculation/],
    ['12 apples - 5', /“apples” in the calculation is no arithmetic/],
    ['2 ** 3', /“\*\*” in the calculation is no arithmetic/],
    ['(2 + 3', /a bracket of the calculation is not closed/],
    ['2 +', /the calculation breaks off/],
    ['2 3', /“3” in the calculation is no arithmetic/],
    ['1 / 0', /divides by zero/],
    ['3 - 5', /comes to -2, less than zero/],
    ['10 / 3', /comes to 3.33333333, which has more than two decimals/],
    ['12 - 5 = 8', /“12 - 5 = 8” comes to 7/],
    ['12 - 5 = x', /is no arithmetic/],
    ['9999999 * 9999999', /more than 1,000,000,000/],
    ['1234567890123 + 1', /has too many digits/],
    ['total - 5', /“total” in the calculation is no arithmetic/],
    [Array.from({ length: 13 }, (_, i) => `a${i} = 1`).join('\n'), /more than 12 lines/],
    [Array.from({ length: 22 }, () => '1').join('+'), /has 21 steps; 20 are allowed/],
    [`1${' '.repeat(300)}+ 1`, /too long/],
    ['process.exit()', /is no arithmetic/],
    ['a = 99999999999 * 99999999999\nb = a * a * a * a * a\nb / b', /grow too large/],
  ];
  for (const [text, why] of wrong)
    it(`${JSON.stringify(text.slice(0, 60))} has no value`, () => assert.throws(() => execute(text), why));

  it('calculates as fractions do, whatever the brackets', () => {
    const tree = fc.letrec<{ expression: { text: string; value: number } }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4 },
        fc.nat(50).map((n) => ({ text: String(n), value: n })),
        fc.tuple(tie('expression'), fc.constantFrom('+', '-', '*'), tie('expression')).map(([a, sign, b]) => ({
          text: `(${a.text} ${sign} ${b.text})`,
          value: sign === '+' ? a.value + b.value : sign === '-' ? a.value - b.value : a.value * b.value,
        })),
      ),
    })).expression;
    fc.assert(
      fc.property(tree, ({ text, value }) => {
        fc.pre(value >= 0 && value <= 1e9 && text.length <= 200 && (text.match(/[-+*]/g) ?? []).length <= 20);
        assert.equal(execute(text).value, String(value));
      }),
    );
  });
});
