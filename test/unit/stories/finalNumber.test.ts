import assert from 'node:assert/strict';
import { finalNumber } from '../../../src/benchmarks/adapter/answers/finalNumber.ts';
import { ScorerTable } from '../../../src/benchmarks/scorerTable.ts';
import { finalNumbers } from '../../support/stories/numbers.ts';

describe('the number that a text ends up with', () => {
  for (const [text, number] of finalNumbers) {
    it(`${JSON.stringify(text)} says ${number ?? 'none'}`, () => {
      const read = finalNumber(text);
      if (number === null) assert.deepEqual(read, { ok: false, note: 'the answer says no number' });
      else assert.deepEqual(read.ok && Number(read.value), number);
    });
  }

  it('takes no longer for a text that is made to be slow', () => {
    for (const piece of [
      '1',
      '1,',
      '1 ',
      '{',
      '\\frac{',
      'answer',
      '1/',
      '\\boxed{',
      '1 1/',
      '#### ',
      '1×10^',
      '1 (',
      '#### 1. ',
    ])
      assert.doesNotThrow(() => finalNumber(piece.repeat(40_000 / piece.length)));
  });

  it('is judged by the rule “number”', async () => {
    const rules = await ScorerTable.open(['number']);
    const task = {
      evaluation: { kind: 'number', answer: { kind: 'final-number' }, absolute: 0, relative: 0 },
      gold: '1250',
    };
    assert.equal(rules.fault(task), null);
    assert.equal(rules.goldAnswer(task), 'Answer: 1250');
    const verdictOf = (content: string, stopReason: 'stop' | 'length' = 'stop') =>
      rules.score(task, { messages: [{ role: 'assistant', content }], stopReason });
    assert.deepEqual(verdictOf('So it is\nAnswer: $1,250.00'), { success: true, reward: 1, valid: true });
    assert.equal(verdictOf('Answer: 125').success, false);
    assert.equal(verdictOf('no idea').valid, false);
    assert.equal(verdictOf('Answer: 1250', 'length').success, false);
  });
});
