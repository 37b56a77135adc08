import assert from 'node:assert/strict';
import { pinnedCase, readCases, withCase, wrongVerdict } from '../../../src/shared/rewards/cases.ts';
import { callOf } from '../../support/rewards/given.ts';

const source = { run: 'r', trace: 'e1/t/r0' };
const held = { success: true, reward: 1, valid: true };

describe('a pinned case', () => {
  it('is the last line of its file, also where the one before it does not end', () => {
    const first = pinnedCase(callOf('one'), { success: true }, null, 'by hand');
    const pinned = pinnedCase(callOf('two'), { success: false }, source, '');
    const text = withCase(withCase('', first).trimEnd(), pinned);
    assert.deepEqual(
      [...readCases(text)],
      [
        { line: 1, case: first },
        { line: 2, case: pinned },
      ],
    );
    assert.ok(text.endsWith('\n'));
  });

  it('is read behind a byte order mark, and between line ends of Windows', () => {
    const first = pinnedCase(callOf('one'), { success: true }, null, 'by hand');
    const text = `\uFEFF${[first, first].map((one) => `${JSON.stringify(one)}\r\n`).join('')}`;
    assert.deepEqual(
      [...readCases(text)].map((line) => ('case' in line ? line.line : line.fault)),
      [1, 2],
    );
  });

  it('takes the place of an earlier one of the same attempt, and of nothing else', () => {
    const mine = { ...pinnedCase(callOf('no'), { success: false }, null, 'mine') };
    const other = pinnedCase(callOf('other'), { success: false }, { ...source, run: 'another' }, '');
    const before = [mine, pinnedCase(callOf('two'), { success: false }, source, ''), other].reduce(withCase, '');
    const again = pinnedCase(callOf('two'), { success: true, reward: 1 }, source, '');
    const after = withCase(`\nno JSON\n${before}`, again);
    assert.deepEqual(
      [...readCases(after)].map((line) => ('case' in line ? line.case : line.fault)),
      ['The line is no JSON.', mine, again, other],
    );
  });

  it('holds a reward to what was expected, and to any reward where none was', () => {
    const any = pinnedCase(callOf('x'), { success: true }, source, '');
    const exact = pinnedCase(callOf('x'), { success: true, reward: 0.5 }, source, '');
    assert.equal(wrongVerdict(any, held), null);
    assert.match(wrongVerdict(exact, held) ?? '', /the reward is 1, and 0.5 is expected/);
  });
});
