import assert from 'node:assert/strict';
import { readCurriculumCases } from '../../../src/shared/curricula/cases.ts';
import { readDomainCases } from '../../../src/shared/domains/cases.ts';
import { readCases } from '../../../src/shared/rewards/cases.ts';

describe('files of a JSON value a line', () => {
  it('are read with a byte order mark, too', () => {
    for (const read of [readCases, readDomainCases, readCurriculumCases])
      assert.deepEqual([...read('\uFEFF{"v":1}\n')], [...read('{"v":1}\n')]);
  });
});
