import assert from 'node:assert/strict';
import { againstGold } from '../../../../src/host/documents/againstGold.ts';

const wordsAt = (text: string, marks: readonly { start: number; end: number }[]): string[] =>
  marks.map(({ start, end }) => text.slice(start, end));

describe('an answer against its gold', () => {
  it('marks the words that only one of them has, where they stand', () => {
    const gold = 'first set f3 rice 4\n second get f1';
    const answer = 'first  set f3 milk 4\nsecond get f1 third';
    const compared = againstGold(gold, answer);
    assert.ok(compared);
    assert.deepEqual([compared.same, compared.missing, compared.extra], [false, 1, 2]);
    assert.deepEqual(wordsAt(gold, compared.inGold), ['rice']);
    assert.deepEqual(wordsAt(answer, compared.inAnswer), ['milk', 'third']);
  });

  it('says that they are the same, spaces aside', () => {
    assert.equal(againstGold('a b\nc', 'a  b c\n')?.same, true);
  });

  it('compares nothing without a gold, an answer, a shared word, or within texts of any length', () => {
    assert.equal(againstGold('', 'a'), null);
    assert.equal(againstGold('a', ' '), null);
    assert.equal(againstGold('{"a": 1}', 'the answer is one'), null);
    assert.equal(againstGold('a', 'a '.repeat(200_000)), null);
  });
});
