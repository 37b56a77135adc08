/** How an answer ended, by the reason that its server gives: servers and the models behind them have words of their own. */

/** That it was cut at the most tokens it may have: OpenAI, Anthropic's and Gemini's (MAX_TOKENS) behind a gateway, Mistral. */
const cut = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'max_completion_tokens',
  'max_length',
  'model_length',
]);
/** That something kept the server from finishing it: content_filter, SGLang's abort, error, SAFETY, insufficient_system_resource. */
const broken =
  /abort|cancel|error|fail|filter|safety|recitation|refus|block|prohibit|insufficient|malformed|time_?out|interrupt/i;
/** That it ended by itself, whatever its length: OpenAI, TGI (eos_token, stop_sequence), Anthropic behind a gateway. */
const whole = new Set([
  'stop',
  'tool_calls',
  'function_call',
  'eos',
  'eos_token',
  'stop_sequence',
  'end_turn',
  'tool_use',
]);

/**
 * `stop`, `length`, or the server's word for what kept it from finishing. Without a known word an answer ended by itself, unless it
 * has all the tokens that it may have.
 * @param tokens of the answer; null where nothing counts them
 * @param most tokens that it may have
 */
export function endOf(reason: string | null | undefined, tokens: number | null, most: number): string {
  const told = (reason ?? '').toLowerCase();
  if (whole.has(told)) return 'stop';
  if (cut.has(told)) return 'length';
  if (broken.test(told)) return reason ?? '';
  return tokens !== null && tokens >= most ? 'length' : 'stop';
}
