import assert from 'node:assert/strict';
import { Pending } from '../../../../src/launch/traced/pending.ts';
import type { ToolStep } from '../../../../src/launch/traced/watchedPorts.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import type { Trace } from '../../../../src/shared/records/trace.ts';

const seen = (content: string): Message => ({ role: 'user', content });
const step = (action: string, start: number, answer: readonly Message[] = []): ToolStep => ({
  ...{ action, answer, start, end: start + 1 },
});

/** As the loop records an attempt: each action with the messages that answered it. */
function attempt(index: number, steps: readonly ToolStep[], last: Partial<Trace> = {}): Trace {
  const messages = steps.flatMap(({ action, answer }): Message[] => [
    { role: 'assistant', content: action },
    ...answer,
  ]);
  return {
    ...{ v: 1, id: `e1/t/r${index}`, purpose: 'train', task: 't', family: 'f', epoch: 1, version: 'agent@1' },
    ...{ messages, sequences: [], stopReason: 'stop', verdict: { success: true, reward: 1, valid: true } },
    ...last,
  };
}

describe('steps of attempts at one task that go on at once', () => {
  it('are each attempt’s own where one is under way with the same first action', () => {
    const pending = new Pending();
    const [under, over]: [ToolStep[], ToolStep[]] = [[], []];
    for (const steps of [under, over]) pending.played('t', steps);
    under.push(step('look', 1));
    over.push(step('look', 1), step('take', 2));
    assert.equal(pending.take(attempt(0, over)).steps, over);
    under.push(step('drop', 2));
    assert.equal(pending.take(attempt(1, under)).steps, under);
  });

  it('are each attempt’s own where both say the same, by the answers that they got', () => {
    const pending = new Pending();
    const [first, second] = [1, 2].map((start) => [step('look', start, [seen('a room')])]);
    assert.ok(first !== undefined && second !== undefined);
    for (const steps of [first, second]) pending.played('t', steps);
    assert.equal(pending.take(attempt(1, second)).steps, second);
    assert.equal(pending.take(attempt(0, first)).steps, first);
  });

  it('leave out a last turn that its length cut off', () => {
    const pending = new Pending();
    const steps = [step('look', 1)];
    pending.played('t', steps);
    const cut = attempt(0, [...steps, step('tak', 2)], { stopReason: 'length' });
    assert.equal(pending.take(cut).steps, steps);
  });

  it('are reported as unclaimed, once, after the episode fails', () => {
    const pending = new Pending();
    const steps = [{ ...step('look', 1), error: 'gone' }];
    pending.played('t', steps);
    assert.deepEqual(pending.stepsLeftFrom(1), [], 'still of this epoch');
    assert.deepEqual(pending.take(attempt(0, [step('look', 1), step('tak', 2)], { stopReason: 'length' })).steps, []);
    assert.deepEqual(pending.stepsLeftFrom(3), steps);
    assert.deepEqual(pending.stepsLeftFrom(3), []);
  });
});
