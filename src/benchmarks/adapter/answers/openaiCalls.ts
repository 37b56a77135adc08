/** Calls as OpenAI's chat completions have them. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { parseExactly } from '../../../shared/json.ts';
import { callsOf } from './calls.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

const callSchema = z.looseObject({
  type: z.literal('function').optional(),
  function: z.looseObject({ name: z.string(), arguments: z.union([z.string(), z.record(z.string(), z.unknown())]) }),
});
const listSchema = z.array(callSchema);
const messageSchema = z.looseObject({ tool_calls: listSchema });

/** The text is JSON: a message with `tool_calls`, their list, or one of them. `arguments` is the text of an object. */
export function openaiCalls(text: string): ParsedAnswer {
  const value = parseExactly(text);
  const message = messageSchema.safeParse(value).data?.tool_calls;
  const list = message ?? listSchema.safeParse(Array.isArray(value) ? value : [value]).data;
  if (list === undefined) return { ok: false, note: l10n.t('the answer has no tool_calls') };
  const calls = callsOf(list.map((call) => call.function));
  return calls === null
    ? { ok: false, note: l10n.t('the arguments of a call are no JSON object') }
    : { ok: true, value: calls };
}
