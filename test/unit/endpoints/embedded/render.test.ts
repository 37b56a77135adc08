import assert from 'node:assert/strict';
import { render } from '../../../../src/endpoints/embedded/render.ts';
import { Vocabulary } from '../../../../src/endpoints/embedded/vocabulary.ts';

const vocabulary = new Vocabulary(['<end>', 'add', 'two', 'apples', 'CALLS'], '<end>');

describe('rendering', () => {
  it('joins the words of all messages, roles unmarked', () => {
    const { tokens, spans } = render(vocabulary, [
      { role: 'system', content: 'add  two' },
      { role: 'user', content: ' apples\nCALLS ' },
      { role: 'tool', content: 'two', name: 'x' },
    ]);
    assert.deepEqual(tokens, [1, 2, 3, 4, 2]);
    assert.deepEqual(spans, []);
  });

  it('ends assistant turns with the end word, once', () => {
    const { tokens, spans } = render(vocabulary, [
      { role: 'user', content: 'add' },
      { role: 'assistant', content: 'two apples' },
      { role: 'user', content: 'CALLS' },
      { role: 'assistant', content: 'two <end>' },
    ]);
    assert.deepEqual(tokens, [1, 2, 3, 0, 4, 2, 0]);
    assert.deepEqual(spans, [
      [1, 4],
      [5, 7],
    ]);
  });

  it('appends sampled turns by their ids, as they were sampled', () => {
    const { tokens, spans } = render(vocabulary, [
      { role: 'user', content: 'add' },
      { role: 'assistant', content: 'whatever it said', tokens: [2, 3] },
    ]);
    assert.deepEqual(tokens, [1, 2, 3]);
    assert.deepEqual(spans, [[1, 3]]);
  });

  it('names a word it does not know, and a token of another model', () => {
    assert.throws(() => render(vocabulary, [{ role: 'user', content: 'add three' }]), /word 'three'.*5 words/);
    assert.throws(() => render(vocabulary, [{ role: 'assistant', content: '', tokens: [5] }]), /Token 5/);
  });

  it('decodes without the end word', () => {
    assert.equal(vocabulary.decode([1, 2, 3, 0]), 'add two apples');
    assert.throws(() => vocabulary.decode([9]), /Token 9/);
  });
});
