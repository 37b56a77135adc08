/** Calls of tools as plain values. */
import * as z from 'zod';
import { parseExactly } from '../../../shared/json.ts';

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
  const read = fields.safeParse(typeof given === 'string' ? parseExactly(given) : given);
  return read.success ? { name, arguments: read.data } : null;
}
