import assert from 'node:assert/strict';
import { adapterFixes } from '../../../../src/shared/adapters/fixes.ts';
import { isObject } from '../../../../src/shared/experiment/resolve.ts';
import { editText } from '../../../../src/shared/experiment/text/textEdit.ts';
import { readAdapter } from '../../../../src/benchmarks/adapter/readAdapter.ts';
import { sampleAdapter } from '../../../support/adapters/sampleAdapter.ts';

describe('fixes of an adapter', () => {
  const good = JSON.stringify(sampleAdapter(), null, 2);
  const slips: [string, string, string][] = [
    ['a misspelt field', '"gold"', '"golds"'],
    ['a misspelt choice', '"trimmed"', '"trimed"'],
    ['a misspelt role', '"user"', '"usr"'],
    ['a misspelt kind', '"kind": "exact"', '"kind": "exat"'],
  ];
  for (const [what, right, wrong] of slips) {
    it(`mend ${what} to what was meant`, () => {
      const text = good.replace(right, wrong);
      const { problems, written } = readAdapter(text, 'x');
      const fix = problems.flatMap(({ field }) => (isObject(written) ? adapterFixes(field, written) : []))[0];
      assert.ok(fix !== undefined, JSON.stringify(problems));
      assert.equal(editText(text, fix.edits), good);
    });
  }

  it('take out a field that means nothing', () => {
    const text = good.replace('"version": 1,', '"version": 1,\n  "colour": "blue",');
    const { written } = readAdapter(text, 'x');
    assert.ok(written !== null);
    const [fix] = adapterFixes('colour', written);
    assert.ok(fix?.kind === 'remove');
    assert.equal(editText(text, fix.edits), good);
  });
});
