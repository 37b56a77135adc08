import assert from 'node:assert/strict';
import { readCurriculumCases } from '../../../src/shared/curricula/cases.ts';
import { readDomainCases } from '../../../src/shared/domains/cases.ts';
import { withWholeIntegers } from '../../../src/shared/json.ts';
import { readCases } from '../../../src/shared/rewards/cases.ts';

describe('files of a JSON value a line', () => {
  it('are read with a byte order mark, too', () => {
    for (const read of [readCases, readDomainCases, readCurriculumCases])
      assert.deepEqual([...read('\uFEFF{"v":1}\n')], [...read('{"v":1}\n')]);
  });

  it('keep integers that no double holds, and nothing else changes', () => {
    const long = '12345678901234567890';
    const given = `{"a": ${long}, "b\\"${long}": [-${long},${long}.5, 0.${long}, ${long}e3, 9007199254740991]}`;
    const expected = `{"a": "${long}", "b\\"${long}": ["-${long}",${long}.5, 0.${long}, ${long}e3, 9007199254740991]}`;
    assert.equal(withWholeIntegers(given), expected);
  });
});
