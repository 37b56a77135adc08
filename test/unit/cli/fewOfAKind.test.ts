import assert from 'node:assert/strict';
import { FewOfAKind } from '../../../src/cli/show/fewOfAKind.ts';
import type { Problem } from '../../../src/shared/experiment/problems/problem.ts';

const problem = (line: number, message: string, field = 'task.gold'): Problem => ({
  ...{ file: 'a.jsonl', line, column: 1, field, message, remedy: '', severity: 'error' },
});

describe('equal problems', () => {
  it('are told three times and then counted, whatever they quote', () => {
    const few = new FewOfAKind();
    const told = Array.from({ length: 1498 }, (_, i) => few.add(problem(i, `“q${i}” joins no record of answer.`)));
    assert.equal(told.filter(Boolean).length, 3);
    assert.ok(few.add(problem(7, 'there is nothing at /record/answer.')));
    assert.ok(few.add(problem(8, '“x” joins no record of answer.', 'task.id')), 'at another field');
    assert.deepEqual(few.others, ['… and 1,495 more like: “q0” joins no record of answer. (--json has all)']);
  });
});
