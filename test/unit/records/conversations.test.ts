import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversations } from '../../../src/engine/conversations.ts';
import { sampledByTurn } from '../../../src/host/documents/layout/surprise.ts';
import { allSaid, branchTurns, conversationsOf } from '../../../src/shared/records/conversations.ts';
import type { Message } from '../../../src/shared/records/message.ts';
import type { Branch } from '../../../src/shared/records/trace.ts';

const user = (content: string): Message => ({ role: 'user', content });
const said = (content: string, tokens?: number[]): Message => ({
  role: 'assistant',
  content,
  ...(tokens === undefined ? {} : { tokens }),
});
const branch = (of: number, after: number, ...messages: Message[]): Branch => ({ of, after, messages });
const texts = (messages: readonly Message[]): string => messages.map(({ content }) => content).join(' ');

/** a b c; of it, after a: d e; of that, after d: f; and one that begins anew. */
const trace = {
  messages: [user('a'), said('b'), said('c')],
  branches: [branch(0, 1, user('d'), said('e')), branch(1, 2, said('f')), branch(0, 0, user('g'), said('h'))],
};

describe('the conversations of an attempt', () => {
  it('number their turns one after another', () => {
    assert.equal(texts(allSaid(trace)), 'a b c d e f g h');
    assert.deepEqual(
      branchTurns(trace).map(({ first, follows }) => [first, follows]),
      [
        [3, 0],
        [5, 3],
        [6, null],
      ],
    );
  });

  it('are whole where they are asked for whole', () => {
    assert.deepEqual(conversationsOf(trace).map(texts), ['a b c', 'a d e', 'a d f', 'g h']);
  });

  it('that begin with themselves, in a damaged record, are shown all the same', () => {
    const damaged = { messages: [user('a')], branches: [branch(1, 3, user('b')), branch(7, 1, user('c'))] };
    assert.deepEqual(
      branchTurns(damaged).map(({ first, follows }) => [first, follows]),
      [
        [1, null],
        [2, null],
      ],
    );
    assert.deepEqual(conversationsOf(damaged).map(texts), ['a', 'b', 'c']);
  });

  it('are those that the agent was asked in, whatever a program asks', () => {
    const conversation = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(conversation, { minLength: 1, maxLength: 8 }), (asked) => {
        const tree = new Conversations();
        for (const [i, words] of asked.entries()) tree.at(words.map(user)).said(said(`${i}`));
        const record = tree.record;
        const whole = conversationsOf(record).map(texts);
        for (const [i, words] of asked.entries()) assert(whole.includes([...words, i].join(' ')));
        assert.equal(allSaid(record).filter(({ role }) => role === 'assistant').length, asked.length);
        for (const [i, { first, follows }] of branchTurns(record).entries()) {
          const before = whole[i + 1]?.split(' ').at((record.branches[i]?.after ?? 0) - 1);
          if (follows !== null) assert.equal(allSaid(record)[follows]?.content, before);
          assert.equal(allSaid(record)[first], record.branches[i]?.messages[0]);
        }
      }),
    );
  });
});

describe('what was sampled, by turn', () => {
  const sequence = (tokens: number[], spans: [number, number][], logprobs: number[]) => ({ tokens, spans, logprobs });

  it('counts no turn that a program wrote', () => {
    const sampled = sampledByTurn({
      messages: [user('a'), said('a summary'), user('b'), said('yes', [7, 8])],
      branches: [branch(0, 1, said('no', [9]))],
      sequences: [sequence([1, 9], [[1, 2]], [-2]), sequence([1, 2, 3, 7, 8], [[3, 5]], [-1, -3])],
    });
    assert.deepEqual(
      [...sampled].map(([turn, { tokens, surprise }]) => [turn, tokens, surprise?.mean]),
      [
        [3, 2, 2],
        [4, 1, 2],
      ],
    );
  });

  it('tells no surprise where two turns read alike and were not equally likely', () => {
    const sampled = sampledByTurn({
      messages: [user('a'), said('yes', [7])],
      branches: [branch(0, 0, user('b'), said('yes', [7]))],
      sequences: [sequence([1, 7], [[1, 2]], [-0.5]), sequence([2, 7], [[1, 2]], [-1.5])],
    });
    assert.deepEqual(
      [...sampled].map(([turn, { tokens, surprise }]) => [turn, tokens, surprise]),
      [
        [1, 1, null],
        [3, 1, null],
      ],
    );
  });

  it('follows the order of turns where one conversation was held', () => {
    const sampled = sampledByTurn({
      messages: [said('yes', [7]), user('sure?'), said('yes', [7])],
      sequences: [
        sequence(
          [7, 1, 7],
          [
            [0, 1],
            [2, 3],
          ],
          [-1, -2],
        ),
      ],
    });
    assert.deepEqual(
      [...sampled].map(([turn, { surprise }]) => [turn, surprise?.most]),
      [
        [0, 1],
        [2, 2],
      ],
    );
  });
});
