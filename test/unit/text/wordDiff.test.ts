import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wordDiff } from '../../../src/shared/text/wordDiff.ts';

const text = fc.array(fc.constantFrom('first', 'increase', 'f3', 'rice', '4', 'set'), { maxLength: 14 });

describe('wordDiff', () => {
  it('finds a confused word, a missing one and one too many', () => {
    assert.deepEqual(wordDiff('first set f9 rice 4', 'first get f9 rice 4'), [
      { kind: 'same', text: 'first' },
      { kind: 'missing', text: 'set' },
      { kind: 'extra', text: 'get' },
      { kind: 'same', text: 'f9 rice 4' },
    ]);
    assert.deepEqual(wordDiff('a b c', 'a c'), [
      { kind: 'same', text: 'a' },
      { kind: 'missing', text: 'b' },
      { kind: 'same', text: 'c' },
    ]);
    assert.deepEqual(wordDiff('a', 'a b c'), [
      { kind: 'same', text: 'a' },
      { kind: 'extra', text: 'b c' },
    ]);
  });

  it('has nothing to say of equal texts, and only missing words of an empty answer', () => {
    assert.deepEqual(wordDiff('a  b\nc', 'a b c'), [{ kind: 'same', text: 'a b c' }]);
    assert.deepEqual(wordDiff('a b', ''), [{ kind: 'missing', text: 'a b' }]);
    assert.deepEqual(wordDiff('', ''), []);
  });

  it('holds the gold and the answer whole, and no more changes than it must', () => {
    fc.assert(
      fc.property(text, text, (gold, answer) => {
        const parts = wordDiff(gold.join(' '), answer.join(' '));
        const of = (...kinds: string[]) =>
          parts.flatMap(({ kind, text: own }) => (kinds.includes(kind) ? own.split(' ') : []));
        assert.deepEqual(of('same', 'missing'), gold);
        assert.deepEqual(of('same', 'extra'), answer);
        assert.equal(of('same').length, commonLength(gold, answer));
      }),
    );
  });

  it('gives up on very long texts without giving up their words', () => {
    const gold = Array.from({ length: 4000 }, (_, i) => `g${i}`);
    const parts = wordDiff(['same', ...gold].join(' '), ['same', 'other'].join(' '));
    assert.deepEqual(
      parts.map(({ kind }) => kind),
      ['same', 'missing', 'extra'],
    );
    assert.equal(parts[1]!.text.split(' ').length, 4000);
  });
});

/** Length of the longest common subsequence, by the definition. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      table[i]![j] = a[i - 1] === b[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
    }
  }
  return table[a.length]![b.length]!;
}
