/**
 * The embedded models' vocabulary and chat template in the files that tokenizer libraries load: what `Vocabulary` and
 * `render` do, for clients that have neither.
 */
import type { Vocabulary } from './vocabulary.ts';

/** Words apart by blanks; an unknown word is an error where the library can say so: there is no unknown token. */
const tokenizer = ({ words, end }: Vocabulary): unknown => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [
    {
      ...{ id: end, content: words[end], special: true },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    },
  ],
  normalizer: null,
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor: null,
  decoder: null,
  model: { type: 'WordLevel', vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: '<unknown>' },
});

/** The words of all messages one after another; an assistant turn ends with the end word, once. */
const template = (end: string): string =>
  [
    '{%- for message in messages -%}',
    "{%- if not loop.first %}{{ ' ' }}{% endif -%}",
    '{{- message.content -}}',
    '{%- set words = message.content.split() -%}',
    "{%- if message.role == 'assistant' and (words | length == 0 or words | last != '" + end + "') -%}",
    "{{- ' " + end + "' -}}",
    '{%- endif -%}',
    '{%- endfor -%}',
    '',
  ].join('\n');

/** Content by file name. */
export function tokenizerFiles(vocabulary: Vocabulary, context: number): Readonly<Record<string, string>> {
  const end = vocabulary.word(vocabulary.end);
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    ...{ bos_token: null, eos_token: end, pad_token: null, unk_token: null },
    ...{ add_bos_token: false, add_eos_token: false, clean_up_tokenization_spaces: false },
    model_max_length: context,
    chat_template: template(end),
  };
  return {
    'tokenizer.json': json(tokenizer(vocabulary)),
    'tokenizer_config.json': json(config),
    'chat_template.jinja': template(end),
  };
}
