/** Chat templates of models that think, as they treat the turns of a conversation; without what they say of tools. */

const turn = (text: string): string => `{{- '<|im_start|>' + m.role + '\\n' + ${text} + '<|im_end|>\\n' }}`;

/** Splits an answer at the end of its thought. */
const split = [
  "{%- set thought = '' %}{%- set said = m.content %}{%- if '</think>' in said %}",
  "{%- set thought = said.split('</think>')[0].split('<think>')[-1].strip('\\n') %}",
  "{%- set said = said.split('</think>')[-1].lstrip('\\n') %}{%- endif %}",
].join('');

const open = "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n<think>\\n' }}{%- endif %}";

/** As Qwen3-Thinking: a prompt opens a thought, and thoughts stay in the history since the last question alone. */
export const sinceQuestion = [
  "{%- set ns = namespace(last=-1) %}{%- for m in messages %}{%- if m.role == 'user' %}{%- set ns.last = loop.index0 %}{%- endif %}{%- endfor %}",
  "{%- for m in messages %}{%- if m.role == 'assistant' %}",
  split,
  '{%- if loop.index0 > ns.last and (loop.last or thought) %}',
  turn("'<think>\\n' + thought + '\\n</think>\\n\\n' + said"),
  `{%- else %}${turn('said')}{%- endif %}`,
  "{%- elif m.role == 'tool' %}{{- '<|im_start|>user\\n<tool_response>\\n' + m.content + '\\n</tool_response><|im_end|>\\n' }}",
  `{%- else %}${turn('m.content')}{%- endif %}{%- endfor %}`,
  open,
].join('');

/** As DeepSeek-R1: a prompt opens a thought, but not behind a tool; thoughts of answers to questions are left out. */
export const questionsAlone = [
  '{%- set ns = namespace(tool=false) %}{%- for m in messages %}',
  "{%- if m.role == 'user' %}{%- set ns.tool = false %}{{- '<|im_start|>user\\n' + m.content }}{%- endif %}",
  "{%- if m.role == 'tool' %}{%- set ns.tool = true %}{{- '<|im_start|>tool\\n' + m.content }}{%- endif %}",
  "{%- if m.role == 'assistant' %}{%- if ns.tool %}{{- '\\n' + m.content + '<|im_end|>' }}{%- set ns.tool = false %}{%- else %}",
  "{{- '<|im_start|>' + m.content.split('</think>')[-1] + '<|im_end|>' }}{%- endif %}{%- endif %}{%- endfor %}",
  "{%- if ns.tool %}{{- '\\n' }}{%- elif add_generation_prompt %}{{- '<|im_start|><think>\\n' }}{%- endif %}",
].join('');

/** As GLM: the model opens its thoughts itself, and a history has an empty one before each answer. */
export const emptyInHistory = [
  "{%- for m in messages %}{%- if m.role == 'assistant' %}",
  split,
  "{{- '<|im_start|>assistant\\n<think></think>\\n' + said + '<|im_end|>\\n' }}",
  `{%- else %}${turn('m.content')}{%- endif %}{%- endfor %}`,
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}",
].join('');
