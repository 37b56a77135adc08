import assert from 'node:assert/strict';
import { foldLabels, labelNameSchema, verdictOf, type LabelEvent } from '../../../src/shared/records/label.ts';

const event = (trace: string, author: string, verdict: LabelEvent['verdict'], ...labels: string[]): LabelEvent => ({
  ...{ v: 1, at: 0, author, trace, verdict, labels },
});

describe('labels on attempts', () => {
  it('are what each person said last, and gone where that is nothing', () => {
    const folded = foldLabels([
      event('a', 'anna', 'pass'),
      event('a', 'ben', 'fail', 'odd'),
      event('a', 'anna', 'fail'),
      event('b', 'ben', null, 'odd'),
      event('b', 'ben', null),
    ]);
    assert.deepEqual([...folded.keys()], ['a']);
    assert.deepEqual(folded.get('a'), [
      { author: 'anna', verdict: 'fail', labels: [] },
      { author: 'ben', verdict: 'fail', labels: ['odd'] },
    ]);
  });

  it('amount to one verdict where people agree', () => {
    const said = (...verdicts: LabelEvent['verdict'][]) =>
      verdictOf(verdicts.map((verdict) => ({ author: '', verdict, labels: [] })));
    assert.deepEqual([said(), said(null), said('pass', null), said('pass', 'fail')], [null, null, 'pass', 'disputed']);
  });

  it('are words that a search can name', () => {
    const fits = (text: string): boolean => labelNameSchema.safeParse(text).success;
    assert.deepEqual(['wrong-gold', 'größe', 'a b', '', '-x', 'x'.repeat(41)].map(fits), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
