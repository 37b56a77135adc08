import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderBody } from '../../../src/benchmarks/storekeeper/body.ts';
import { renderCalls } from '../../../src/benchmarks/storekeeper/calls.ts';
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import { execute } from '../../../src/benchmarks/storekeeper/execute.ts';
import { StorekeeperScorer } from '../../../src/benchmarks/storekeeper/scorer.ts';
import { vocabulary, words } from '../../../src/benchmarks/storekeeper/vocabulary.ts';
import type { Trace } from '../../../src/shared/records/trace.ts';
import { anyBody } from './arbitraries.ts';

const scorer = new StorekeeperScorer();
const gold = 'first increase f3 rice 4 second get f1 rice third set f2 eggs 0';
const task = { evaluation: { kind: 'storekeeper' }, gold };
const said = (...turns: string[]): Pick<Trace, 'messages' | 'stopReason'> => ({
  messages: turns.map((content) => ({ role: 'assistant', content })),
  stopReason: 'stop',
});

describe('storekeeper: scorer', () => {
  it('is exact: the gold succeeds, any one word changed, added or left out fails', () => {
    const domain = new StorekeeperDomain();
    fc.assert(
      fc.property(anyBody, fc.nat(), fc.nat(), (body, at, choice) => {
        const answer = renderCalls(execute(body));
        const parsed = domain.parseTask(`${renderBody(body).join(' ')} CALLS ${answer}`, '');
        assert.ok(parsed.ok);
        assert.equal(scorer.score(parsed.draft, said(`${answer} <end>`)).success, true);
        const right = words(answer);
        const i = at % right.length;
        const other = vocabulary.slice(1).filter((word) => word !== right[i])[choice % (vocabulary.length - 2)] ?? '';
        for (const wrong of [right.with(i, other), right.toSpliced(i, 1), [...right, other]]) {
          const verdict = scorer.score(parsed.draft, said(wrong.join(' ')));
          assert.equal(verdict.success, false);
          assert.equal(verdict.reward, 0);
          assert.notEqual(verdict.note, undefined);
        }
      }),
    );
  });

  it('gives success, parts and validity', () => {
    assert.deepEqual(scorer.score(task, said(gold)), {
      success: true,
      reward: 1,
      parts: { calls: 1, format: 1 },
      valid: true,
    });
    assert.deepEqual(scorer.score(task, said('first increase f3 rice 4 second get f9 rice third set f2 eggs 0')), {
      success: false,
      reward: 0,
      parts: { calls: 2 / 3, format: 1 },
      valid: true,
      note: 'call 2: expected second get f1 rice, got second get f9 rice',
    });
    assert.deepEqual(scorer.score(task, said('first increase f3 rice 4')), {
      success: false,
      reward: 0,
      parts: { calls: 1 / 3, format: 1 },
      valid: true,
      note: 'call 2: expected second get f1 rice, got the end',
    });
    assert.deepEqual(scorer.score(task, said('first increase rice 4')), {
      success: false,
      reward: 0,
      parts: { calls: 0, format: 0 },
      valid: false,
      note: 'call 1: expected a function, found "rice"',
    });
    assert.equal(scorer.score(task, said('<end>')).note, 'the answer is empty');
  });

  it('counts calls that are too many against the share', () => {
    const verdict = scorer.score(task, said(`${gold} fourth get f1 rice`));
    assert.equal(verdict.parts?.['calls'], 3 / 4);
    assert.equal(new StorekeeperScorer('calls').score(task, said(`${gold} fourth get f1 rice`)).reward, 3 / 4);
  });

  it('fails an answer that was cut off, even after the last call', () => {
    const verdict = scorer.score(task, { ...said(gold), stopReason: 'length' });
    assert.deepEqual([verdict.success, verdict.valid], [false, false]);
  });

  it('reads an answer over several turns', () => {
    const turns = words(gold)
      .join(' ')
      .split(/ (?=second|third)/);
    const messages = turns.flatMap((content) => [
      { role: 'assistant' as const, content: `${content} <end>` },
      { role: 'tool' as const, content: 'left 9' },
    ]);
    assert.equal(scorer.score(task, { messages, stopReason: 'stop' }).success, true);
  });

  it('says so when it cannot judge', () => {
    assert.match(scorer.score({ ...task, evaluation: { kind: 'other' } }, said(gold)).error ?? '', /"other"/);
    assert.notEqual(scorer.score({ ...task, gold: null }, said(gold)).error, undefined);
  });

  it('tells well-formed calls from others', () => {
    const format = (text: string) => scorer.score(task, said(text)).parts?.['format'];
    assert.equal(format(gold), 1);
    assert.equal(format(`${gold} <end>`), 1);
    assert.equal(format(''), 0);
    assert.equal(format('first get f1 rice 4'), 0);
  });
});
