import assert from 'node:assert/strict';
import { parseEpochs } from '../../../src/shared/text/epochRange.ts';

describe('epochs as they are typed', () => {
  it('are one, or the first and the last', () => {
    for (const range of ['3-8', ' 3 – 8 ', '3..8']) assert.deepEqual(parseEpochs(range), [3, 8]);
    assert.deepEqual(parseEpochs('5'), [5, 5]);
    for (const wrong of ['', '8-3', 'all', '1-2-3', '-3', '3.8', '3...8'])
      assert.equal(parseEpochs(wrong), null, wrong);
  });
});
