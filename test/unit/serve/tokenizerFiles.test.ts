import assert from 'node:assert/strict';
import { Template } from '@huggingface/jinja';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import * as z from 'zod';
import { render } from '../../../src/endpoints/embedded/render.ts';
import { tokenizerFiles } from '../../../src/endpoints/embedded/tokenizerFiles.ts';
import { Vocabulary } from '../../../src/endpoints/embedded/vocabulary.ts';
import { words } from '../../support/embedded/models.ts';

describe('tokenizer files of the embedded models', () => {
  const vocabulary = new Vocabulary(words, '<end>');
  const files = tokenizerFiles(vocabulary, 48);
  const object = z.record(z.string(), z.unknown());
  const tokenizer = new Tokenizer(
    object.parse(JSON.parse(files['tokenizer.json'] ?? '')),
    object.parse(JSON.parse(files['tokenizer_config.json'] ?? '')),
  );
  const template = new Template(files['chat_template.jinja'] ?? '');
  const word = fc.constantFrom(...words);
  const message = fc.record({
    role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
    content: fc.array(word, { maxLength: 6 }).map((list) => list.join(' ')),
  });

  it('give the ids that the models render', () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 5 }), (messages) => {
        const text = template.render({ messages, add_generation_prompt: true });
        const { ids } = tokenizer.encode(text, { add_special_tokens: false });
        assert.deepEqual(ids, render(vocabulary, messages).tokens);
      }),
    );
  });

  it('give the text that the models decode', () => {
    const ids = [3, 1, 0];
    assert.equal(tokenizer.decode(ids, { skip_special_tokens: true }), vocabulary.decode(ids));
  });

  it('have no id for an unknown word', () => {
    assert.deepEqual(tokenizer.encode('w1 strange', { add_special_tokens: false }).ids, [1, undefined]);
  });

  it('carry the template in the configuration too', () => {
    const { chat_template } = z
      .object({ chat_template: z.string() })
      .parse(JSON.parse(files['tokenizer_config.json'] ?? ''));
    assert.equal(chat_template, files['chat_template.jinja']);
  });
});
