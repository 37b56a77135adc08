import assert from 'node:assert/strict';
import { agreementLines } from '../../../../src/features/labels/cli/agreementLines.ts';
import { agreementOf } from '../../../../src/features/labels/core/agreement.ts';

describe('the agreement in a terminal', () => {
  it('tells labels of attempts that are gone, also where there is no other', () => {
    const lines = agreementLines(
      { attempts: [], agreement: agreementOf([]), rescored: null, gone: ['e1/a/r0'], damaged: [] },
      80,
    );
    assert.match(lines.join('\n'), /^No attempt has a label\..*\n1 label of attempts that the run does not hold\.$/);
  });
});
