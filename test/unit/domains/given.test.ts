/** Results of a domain file's functions, as their processes tell them. */
import assert from 'node:assert/strict';
import { readAction, readDraft, readObservation, readShown } from '../../../src/shared/domains/given.ts';

const faultOf = (read: object): string => ('fault' in read ? String(read.fault) : 'none');

describe('an observation', () => {
  it('is a text, or what is said with a state, which stays where none is given', () => {
    assert.deepEqual(readObservation('Left.', { at: 1 }), {
      value: { messages: [{ role: 'user', content: 'Left.' }], done: false, state: { at: 1 } },
    });
    const rules = { not: 'on the table', score: null };
    assert.deepEqual(readObservation({ state: rules, done: true }, null), {
      value: { messages: [], done: true, state: rules },
    });
  });

  it('is no empty one where nothing was given, or something else', () => {
    for (const [given, fault] of [
      [{ not: 'undefined' }, /^it gave undefined; it must give a text, or \{ say, done, state \}$/],
      [{ not: 'None' }, /^it gave None; /],
      [{ not: 'NaN' }, /^it gave NaN; /],
      [{ observation: 'you won', finished: true }, /^“observation”, “finished” is none of its fields; it must give/],
      [{ say: 'You won.', finished: true }, /^“finished” is none of its fields; /],
      [null, /^it gave something else; /],
    ] as const)
      assert.match(faultOf(readObservation(given, {})), fault);
  });

  it('has no state with a number that would be another one when it comes back', () => {
    for (const not of ['NaN', 'Infinity', '-inf', 'a number too large'])
      assert.equal(
        faultOf(readObservation({ say: 'Left.', state: { best: [1, { not }] } }, null)),
        `“state.best.1” is ${not}, which JSON cannot hold`,
      );
    assert.match(
      faultOf(readDraft({ prompt: '1', evaluation: { kind: 'domain', most: { not: 'inf' } } })),
      /evaluation\.most/,
    );
  });
});

describe('the action and the words of a server', () => {
  it('may be none in both languages: null, and None', () => {
    for (const none of [null, { not: 'None' }]) {
      assert.deepEqual(readAction(none), { value: null });
      assert.deepEqual(readShown(none), { value: [] });
    }
  });

  it('are nothing that a server is sent where nothing was given', () => {
    assert.match(faultOf(readAction({ not: 'undefined' })), /^it gave undefined; it must give an action’s fields/);
    assert.match(faultOf(readAction({ move: { not: 'NaN' } })), /^“move” is NaN, /);
    assert.match(faultOf(readShown({ not: 'undefined' })), /^it gave undefined; /);
    assert.deepEqual(readAction({ move: 'left' }), { value: { move: 'left' } });
    assert.deepEqual(readAction({ reject: 'too long' }), { value: { reject: 'too long' } });
  });
});
