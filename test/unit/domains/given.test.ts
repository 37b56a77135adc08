/** Results of a domain file's functions, as their processes tell them. */
import assert from 'node:assert/strict';
import { readAction, readDraft, readObservation, readSeeds, readShown } from '../../../src/shared/domains/given.ts';
import { asNumbers, parseAsWritten } from '../../../src/shared/writtenNumbers.ts';

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

describe('a task with a whole number beyond 2^53', () => {
  const goldOf = (given: unknown): unknown => {
    const read = readDraft(given);
    return 'value' in read && 'draft' in read.value ? read.value.draft.gold : faultOf(read);
  };

  it('has all digits of Python’s in its gold', () => {
    const digits = ['12345678901234567891', '-9007199254740993', '9007199254740992', '10000000000000000000000'];
    for (const gold of digits) assert.equal(goldOf(parseAsWritten(`{"prompt":"1","gold":${gold}}`)), gold);
    for (const [gold, text] of [
      ['5.0', '5'],
      ['0.5', '0.5'],
      ['1e-07', '1e-7'],
      ['9007199254740991', '9007199254740991'],
      ['null', null],
      ['"6.02e23"', '6.02e23'],
    ] as const)
      assert.equal(goldOf(parseAsWritten(`{"prompt":"1","gold":${gold}}`)), text);
  });

  it('gives it as a text, where the number may have lost digits', () => {
    const lost = (path: string, text: string): string =>
      `“${path}” is ${text}; whole numbers beyond 2^53 are rounded, so give it as a text`;
    assert.equal(goldOf({ prompt: '1', gold: 2 ** 53 }), lost('gold', '9007199254740992'));
    assert.equal(goldOf({ prompt: '1', gold: -6.02e23 }), lost('gold', '-6.02e+23'));
    assert.equal(goldOf(parseAsWritten('{"prompt":"1","gold":1e+16}')), lost('gold', '10000000000000000'));
    assert.equal(
      faultOf(readSeeds([{ prompt: '1' }, { prompt: '2', gold: 1e18 }])),
      lost('1.gold', '1000000000000000000'),
    );
    const kept = (field: string): unknown => goldOf(parseAsWritten(`{"prompt":"1",${field}}`));
    assert.equal(
      kept('"evaluation":{"kind":"domain","ids":[1,9007199254740993]}'),
      lost('evaluation.ids.1', '9007199254740993'),
    );
    assert.equal(kept('"reset":{"seed":18446744073709551615}'), lost('reset.seed', '18446744073709551615'));
  });

  it('keeps what JavaScript writes with the same digits', () => {
    const evaluation = { kind: 'domain', most: 1_000_000_000_000_000_000, near: [5, 0.5, -0] };
    const read = readDraft(
      parseAsWritten(
        '{"prompt":"1","evaluation":{"kind":"domain","most":1000000000000000000,"near":[5.0,0.5,-0.0]},"difficulty":{"size":9007199254740993}}',
      ),
    );
    assert.ok('value' in read && 'draft' in read.value);
    assert.deepEqual(read.value.draft.evaluation, evaluation);
    assert.deepEqual(read.value.draft.complexity, { size: 9007199254740992 });
  });
});

describe('JSON as it was written', () => {
  it('goes back to the letter, and is plain where it is nested deeper than a reviver may go', () => {
    const text = '{"a":[12345678901234567891,5.0,-0.0,1e-07,3.843071682022823e+17,7,0.1,"5.0"],"rawJSON":"1"}';
    assert.equal(JSON.stringify(parseAsWritten(text)), text);
    assert.equal(parseAsWritten('{"a":'), undefined);
    const deep = `${'['.repeat(100_000)}5.0${']'.repeat(100_000)}`;
    assert.ok(Array.isArray(asNumbers(parseAsWritten(deep))));
  });
});
