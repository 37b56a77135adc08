/** A byte-level BPE tokenizer of our own making, of the kind that Qwen's is: small, so that its ids can be followed. */

/** The 256 bytes as printable characters, as byte-level BPE writes them. */
function byteCharacters(): string[] {
  const printable = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
}

/** Pairs that are merged, most frequent first. `Ġ` is a blank, `Ċ` a line break. */
const merges: readonly [string, string][] = [
  ['Ġ', 't'],
  ['i', 'n'],
  ['e', 'r'],
  ['Ġ', 'Ġ'],
  ['o', 'u'],
  ['Ċ', 'Ċ'],
  ['u', 's'],
  ['us', 'er'],
  ['Ġt', 'o'],
  ['s', 'y'],
  ['sy', 's'],
  ['t', 'e'],
  ['te', 'm'],
  ['sys', 'tem'],
  ['1', '2'],
];

const usual = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];

export function bytePairTokenizer(special: readonly string[] = usual) {
  const tokens = [...byteCharacters(), ...merges.map(([a, b]) => a + b)];
  const first = tokens.length;
  const added = special.map((content, i) => ({
    ...{ id: first + i, content, special: true },
    ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
  }));
  const split = String.raw`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`;
  return {
    tokenizer: {
      version: '1.0',
      ...{ truncation: null, padding: null, added_tokens: added, normalizer: { type: 'NFC' } },
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Split', pattern: { Regex: split }, behavior: 'Isolated', invert: false },
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
        ],
      },
      post_processor: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      model: {
        type: 'BPE',
        vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
        merges: merges.map(([a, b]) => `${a} ${b}`),
        ...{ dropout: null, unk_token: null, continuing_subword_prefix: '', end_of_word_suffix: '' },
        ...{ fuse_unk: false, byte_fallback: false },
      },
    },
    config: {
      tokenizer_class: 'Qwen2Tokenizer',
      eos_token: '<|im_end|>',
      bos_token: null,
      clean_up_tokenization_spaces: false,
    },
  };
}

/** ChatML with tools, as Qwen's models are asked. */
export const chatTemplate = [
  "{%- if tools %}{{- '<|im_start|>system\\n' }}{%- if messages[0].role == 'system' %}{{- messages[0].content }}{%- endif %}",
  "{{- '\\n\\n# Tools\\n<tools>' }}{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}{{- '\\n</tools><|im_end|>\\n' }}",
  "{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}",
  "{%- for message in messages %}{%- if message.role != 'system' %}",
  "{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}{%- endfor %}",
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}",
].join('');

export const glmSpecial = [
  '<|endoftext|>',
  '[gMASK]',
  '<sop>',
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|observation|>',
];

/** As GLM-4.5's: no turn has an end of its own. */
export const glmTemplate = [
  '[gMASK]<sop>{%- for m in messages -%}{%- if m.role == "user" -%}<|user|>\n{{ m.content }}',
  '{%- elif m.role == "assistant" -%}<|assistant|>\n{{ m.content }}',
  '{%- elif m.role == "tool" -%}{%- if loop.first or (messages[loop.index0 - 1].role != "tool") %}{{- "<|observation|>" }}{%- endif %}',
  '{{- "\n<tool_response>\n" + m.content + "\n</tool_response>" }}',
  '{%- elif m.role == "system" -%}<|system|>\n{{ m.content }}{%- endif -%}{%- endfor -%}',
  '{%- if add_generation_prompt -%}{{- "<|assistant|>\n" }}{%- endif -%}',
].join('');
