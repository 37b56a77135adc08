import assert from 'node:assert/strict';
import { identified, pinnedCase, readCases, withCase } from '../../../src/shared/rewards/cases.ts';
import { callOf } from '../../support/rewards/given.ts';

const linesOf = (text: string): [string, number][] =>
  [...identified(readCases(text))].map(([id, { line }]) => [id, line]);

describe('lines of a cases file', () => {
  const pinned = pinnedCase(callOf('a'), { success: true }, { run: 'r', trace: 'e1/t/r0' }, '');
  const text = [pinned, pinnedCase(callOf('b'), { success: true }, null, 'by hand')].reduce(withCase, '');

  it('keep their names when lines come before them', () => {
    const named: [string, number][] = [
      ['r/e1/t/r0', 1],
      ['t/by hand', 2],
    ];
    assert.deepEqual(linesOf(text), named);
    assert.deepEqual(linesOf(`{}\n\n${text}`), [['fault', 1], ...named.map(([id, line]) => [id, line + 2])]);
  });

  it('are told apart where they say the same', () => {
    const twice = text + text;
    assert.equal(new Set(linesOf(twice).map(([id]) => id)).size, 4);
  });
});
