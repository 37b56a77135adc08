/** A whole answer as vLLM streams it: a chunk a token, the prompt's ids with the first, the counts in a last chunk alone. */
import * as z from 'zod';

const answerSchema = z.object({
  object: z.string(),
  usage: z.unknown().optional(),
  prompt_token_ids: z.array(z.int()).optional(),
  choices: z.array(
    z.looseObject({
      index: z.int(),
      finish_reason: z.string(),
      text: z.string().optional(),
      message: z.looseObject({ tool_calls: z.array(z.looseObject({})).optional() }).optional(),
      token_ids: z.array(z.int()).optional(),
      logprobs: z.record(z.string(), z.array(z.unknown())).nullish(),
    }),
  ),
});

/** Lines of server-sent events. */
export function eventsOf(answer: unknown): string {
  const { choices, usage, prompt_token_ids, object } = answerSchema.parse(answer);
  const chunks = choices.flatMap(({ index, message, text, token_ids: ids, logprobs, finish_reason }) => {
    const first = { index, delta: { role: 'assistant', content: '' }, text: '', logprobs: null, finish_reason: null };
    const parts = message === undefined ? lettersOf('text', text) : Object.entries(message).flatMap(deltas);
    const tokens = (ids ?? []).map((id, i) => ({
      token_ids: [id],
      logprobs: mapped(logprobs, (values) => values.slice(i, i + 1)),
    }));
    const length = Math.max(parts.length, tokens.length);
    const middle = Array.from({ length }, (_, i) => ({ index, ...parts[i], ...tokens[i], finish_reason: null }));
    return [first, ...middle, { index, delta: {}, text: '', finish_reason }];
  });
  const [first, ...rest] = chunks.map((choice) => ({ object: `${object}.chunk`, choices: [choice] }));
  const all = [{ ...first, prompt_token_ids }, ...rest, { object, choices: [], usage }];
  return [...all.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'].join('');
}

const lettersOf = (name: string, text: unknown) =>
  typeof text === 'string' ? Array.from(text).map((letter) => ({ [name]: letter })) : [];

function deltas([name, value]: [string, unknown]): object[] {
  if (name === 'tool_calls' && Array.isArray(value)) {
    return value.flatMap((call: { function: { name: string; arguments: string } }, index) => {
      const { name: called, arguments: given } = call.function;
      const part = (more: object) => ({ delta: { tool_calls: [{ index, function: more }] } });
      return [part({ name: called }), ...Array.from(given).map((letter) => part({ arguments: letter }))];
    });
  }
  return name === 'role' ? [] : lettersOf(name, value).map((delta) => ({ delta }));
}

const mapped = <T, U>(record: Record<string, T> | null | undefined, map: (value: T) => U) =>
  record === null || record === undefined
    ? null
    : Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
