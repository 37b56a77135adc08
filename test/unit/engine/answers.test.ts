/** Answers as the loop takes them: their place in a conversation, their length, and checkers that break on them. */
import assert from 'node:assert/strict';
import { meanAnswerLength } from '../../../src/engine/answerLength.ts';
import { careful } from '../../../src/engine/carefulScorer.ts';
import { newTokens } from '../../../src/engine/newTokens.ts';
import { turnOf } from '../../../src/engine/turn.ts';
import { LadderScorer } from '../../support/scripted/ladder.ts';

describe('an answer', () => {
  const completion = {
    ...{ requestId: 'a', index: 0, promptTokens: [1], tokens: [2, 3], logprobs: [0, 0], text: 'up' },
    stopReason: 'stop' as const,
  };

  it('is a turn of its conversation, by its ids where they are told', () => {
    assert.deepEqual(turnOf(completion), { role: 'assistant', content: 'up', tokens: [2, 3] });
    assert.deepEqual(turnOf({ ...completion, tokens: [], reasoning: 'hm' }), {
      ...{ role: 'assistant', content: 'up', reasoning: 'hm' },
    });
  });

  it('may have as many tokens as fit, and one at least', () => {
    assert.equal(newTokens({ maxTokens: 8 }, 100), 8);
    assert.equal(newTokens({ maxTokens: 8, maxSequence: 104 }, 100), 4);
    assert.equal(newTokens({ maxTokens: 8, maxSequence: 200 }, 100), 8);
    assert.equal(newTokens({ maxTokens: 8, maxSequence: 100 }, 100), 1);
    assert.equal(newTokens({ maxTokens: 8, maxSequence: 50 }, 100), 1);
    assert.equal(newTokens({ maxTokens: 8 }, 100, 105), 5, 'what the endpoint gives both together');
    assert.equal(newTokens({ maxTokens: 8, maxSequence: 103 }, 100, 105), 3);
  });

  it('has a mean length over rounds by their attempts, without those that ranked', () => {
    const round = (answerLength: number | null, rollouts: number, ranked = 0) => ({
      ...{ answerLength, rollouts },
      ...(ranked === 0 ? {} : { ranking: { rollouts: ranked, tokens: 0 } }),
    });
    assert.equal(meanAnswerLength([]), null);
    assert.equal(meanAnswerLength([round(0.1 + 0.2, 3)]), 0.1 + 0.2);
    assert.equal(meanAnswerLength([round(null, 3)]), null);
    assert.equal(meanAnswerLength([round(10, 30, 20), round(4, 20)]), 6);
    assert.equal(meanAnswerLength([round(null, 30), round(4, 20)]), 4);
    assert.equal(meanAnswerLength([round(null, 30), round(null, 20)]), null);
  });

  it('is not judged by a checker that breaks on it', () => {
    const task = { evaluation: { kind: 'exact' }, gold: 'up' };
    const trace = { messages: [turnOf(completion)], stopReason: 'stop' as const };
    const whole = careful(new LadderScorer());
    assert.deepEqual(whole.score(task, trace), { success: true, reward: 1, valid: true });
    const breaking = (error: unknown) =>
      careful({
        score: () => {
          throw error;
        },
      }).score(task, trace);
    const unjudged = { success: false, reward: 0, valid: false };
    assert.deepEqual(breaking(new Error('no gold')), { ...unjudged, error: 'no gold' });
    assert.deepEqual(breaking('no gold'), { ...unjudged, error: 'no gold' });
  });
});
