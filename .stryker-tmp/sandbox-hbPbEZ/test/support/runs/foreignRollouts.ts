/** Rollouts as other programs write them, by hand from their documented forms: one task solved once, one never. */

/** A rollout dump of verl (`trainer.rollout_data_dir`): a file a step, n lines a prompt. */
export const verlDumps: Readonly<Record<string, readonly object[]>> = {
  '2.jsonl': [
    { input: 'user\n2+2?\nassistant\n', output: 'It is 4.', gts: '4', score: 1.0, step: 2, acc: true, uid: 'a' },
    { input: 'user\n2+2?\nassistant\n', output: 'It is 5.', gts: '4', score: -1.0, step: 2, acc: false, uid: 'a' },
  ],
  '10.jsonl': [
    { input: 'user\n2+2?\nassistant\n', output: '4', gts: '4', score: 1.0, step: 10, acc: true, request_id: 'b' },
    { input: 'user\n3+3?\nassistant\n', output: '', gts: '6', score: 0.0, step: 10, acc: false, request_id: 'c' },
    { input: 'user\n3+3?\nassistant\n', output: '7', gts: '6', score: 0.0, step: 10, acc: false, request_id: 'c' },
  ],
};

/** GRPO's completions table (`log_completions`), as rows. */
export const trlRows: readonly object[] = [
  { step: 5, prompt: 'What is 2+2?', completion: 'It is 4.', accuracy_reward: 1, format_reward: 0.5, advantage: 0.7 },
  { step: 5, prompt: 'What is 2+2?', completion: 'It is 5.', accuracy_reward: 0, format_reward: 0.5, advantage: -0.7 },
  { step: 6, prompt: 'What is 3+3?', completion: 'Seven', accuracy_reward: 0, format_reward: 0, advantage: 0 },
  { step: 6, prompt: 'What is 3+3?', completion: 'Eight', advantage: 0 },
];

const tool = {
  type: 'function',
  function: { name: 'add', description: 'Sum', parameters: { type: 'object', properties: { a: { type: 'number' } } } },
};

/** `results.jsonl` of verifiers. */
export const verifiersRows: readonly object[] = [
  {
    ...{ example_id: 7, answer: '4', reward: 1.0, metrics: { exact: 1.0, turns: 2 }, is_truncated: false },
    prompt: [
      { role: 'system', content: 'Use tools.' },
      { role: 'user', content: '2+2?' },
    ],
    completion: [
      {
        ...{ role: 'assistant', content: null, reasoning_content: 'I add.' },
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a": 2}' } }],
      },
      { role: 'tool', content: '4', tool_call_id: 'c1', name: 'add' },
      { role: 'assistant', content: '4' },
    ],
    tool_defs: [tool],
    token_usage: { input_tokens: 40, output_tokens: 9 },
  },
  {
    ...{ example_id: 7, answer: '4', reward: 0.0, metrics: { exact: 0.0 }, is_truncated: true },
    prompt: [
      { role: 'system', content: 'Use tools.' },
      { role: 'user', content: '2+2?' },
    ],
    completion: [{ role: 'assistant', content: 'Let me think' }],
    error: { error: 'ToolError', error_chain_repr: 'ToolError()', error_chain_str: 'ToolError: no such tool' },
  },
  { example_id: 8, prompt: [{ role: 'user', content: '3+3?' }], completion: null, reward: 0.0, error: 'refused' },
];

/** Conversations in the form of OpenAI, some of them judged. */
export const messagesRows: readonly object[] = [
  {
    ...{ task_id: 'sum a', model: 'm-1', reward: 0.25, success: true, answer: { value: 4 }, epoch: 1 },
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '2+2' },
          { type: 'image_url', image_url: { url: 'x' } },
        ],
      },
      { role: 'assistant', content: '4' },
    ],
  },
  {
    messages: [
      { role: 'user', content: '3+3?' },
      { role: 'assistant', content: '6' },
    ],
    finish_reason: 'length',
  },
  { messages: [{ role: 'user', content: 'Nobody answers' }] },
  {
    messages: [
      { role: 'narrator', content: 'What is this?' },
      { role: 'assistant', content: 'Nothing.' },
    ],
  },
];
