import assert from 'node:assert/strict';
import { Overlaps, likenesses } from '../../../src/benchmarks/recipes/overlaps.ts';
import { plainWords } from '../../../src/benchmarks/recipes/recipe.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import { bfclSeed } from '../../support/recipes/seeds.ts';

const alike = (a: string, b: string): boolean => plainWords(a) === plainWords(b);

describe('words that distinguish tasks', () => {
  it('are the same whatever the blanks, case, markup and punctuation', () => {
    assert.ok(
      alike('A well-known **plan** for 12 apples - and/or pears!', 'a well known plan: for 12 APPLES and or pears'),
    );
    assert.ok(alike('- 5 apples', '5 apples'));
    assert.ok(alike('12 − 7', '12-7'));
  });

  it('are others where a sign is another', () => {
    for (const [a, b] of [
      ['12 − 7', '12 + 7'],
      ['What is 3*4?', 'What is 3/4?'],
      ['Solve x - 3 > 2', 'Solve x - 3 < 2'],
      ['It was -5 °C', 'It was 5 °C'],
      ['(a+b)*c', '(a+b)-c'],
      ['5 % of 20', '5 of 20'],
    ] as const)
      assert.ok(!alike(a, b), `${a} and ${b}`);
  });

  it('find no task that is held out under another sign', () => {
    const asks = (id: string, content: string): Task => ({ ...bfclSeed(id), prompt: [{ role: 'user', content }] });
    const wordsAlone = { wording: ({ prompt }: Pick<Task, 'prompt'>) => prompt[0]?.content ?? '', key: () => null };
    const known = new Overlaps([asks('validation.one', 'What is 12 + 7?')], wordsAlone, likenesses.heldOut);
    assert.equal(known.find(asks('base.one', 'What is 12 - 7?')), null);
    assert.equal(known.find(asks('base.two', 'what is 12+7'))?.id, 'validation.one');
  });
});
