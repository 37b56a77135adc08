import * as z from 'zod';
import { parseOrUndefined } from '../../../shared/json.ts';
import type { ParsedAnswer } from './parseAnswer.ts';

/** One call of a tool. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

const fields = z.record(z.string(), z.unknown());
/** `arguments` as OpenAI and Hermes write them, there also as the text of JSON; `parameters` as Llama and ToolRL do. */
const callSchema = z.union([
  z.looseObject({ name: z.string(), arguments: z.union([fields, z.string()]) }),
  z.looseObject({ name: z.string(), parameters: fields }),
]);

/** A value as calls: one, or a list of them; null when it is none. */
export function callsOf(value: unknown): ToolCall[] | null {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const calls = list.map(callOf);
  return calls.every((call) => call !== null) ? calls : null;
}

function callOf(value: unknown): ToolCall | null {
  const parsed = callSchema.safeParse(value);
  if (!parsed.success) return null;
  const { name, ...rest } = parsed.data;
  const given = 'parameters' in rest ? rest.parameters : rest.arguments;
  const read = fields.safeParse(typeof given === 'string' ? parseOrUndefined(given) : given);
  return read.success ? { name, arguments: read.data } : null;
}

/** Calls in `<tool_call>` tags, one or more JSON values in each, one a line; without tags the whole text as JSON. */
export function toolCalls(text: string): ParsedAnswer {
  const tagged = [...text.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)].map(([, inner = '']) => inner.trim());
  const pieces = tagged.length === 0 ? [text] : tagged;
  const calls = pieces.flatMap((piece) => callsIn(piece) ?? [null]);
  if (calls.every((call) => call !== null)) return { ok: true, value: calls };
  return { ok: false, note: tagged.length === 0 ? 'the answer is no tool call' : 'a <tool_call> holds no call' };
}

function callsIn(text: string): ToolCall[] | null {
  const whole = parseOrUndefined(text);
  if (whole !== undefined) return callsOf(whole);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const calls = lines.map((line) => callsOf(parseOrUndefined(line)));
  return lines.length > 0 && calls.every((call) => call !== null) ? calls.flat() : null;
}
