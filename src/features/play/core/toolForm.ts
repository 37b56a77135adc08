/** A tool's parameters as the fields of a form, and a filled form as arguments. */
import * as z from 'zod';
import { parseOrUndefined } from '../../../shared/json.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';
import type { Field, ShownTool } from '../contract.ts';

const propertySchema = z.looseObject({
  type: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  description: z.string().optional(),
});
const parametersSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

export function shownTool({ name, description, parameters }: ToolSpec): ShownTool {
  const { properties = {}, required = [] } = parametersSchema.safeParse(parameters).data ?? {};
  const fields = Object.entries(properties).map(([key, value]) => fieldOf(key, value, required.includes(key)));
  return { name, description, fields };
}

function fieldOf(name: string, value: unknown, required: boolean): Field {
  const { type, enum: listed, description = '' } = propertySchema.safeParse(value).data ?? {};
  const field = { name, help: description, required, choices: [] };
  if (listed !== undefined && listed.every((one) => typeof one === 'string')) {
    return { ...field, kind: 'choice', choices: listed };
  }
  if (type === 'boolean') return { ...field, kind: 'choice', choices: ['true', 'false'] };
  if (type === 'integer' || type === 'number') return { ...field, kind: 'number' };
  return { ...field, kind: type === 'string' ? 'text' : 'json' };
}

/** Empty fields are left out. What is no JSON, though it should be, stays a text. */
export function argumentsOf(tool: ShownTool, filled: Readonly<Record<string, string>>): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { name, kind, choices } of tool.fields) {
    const text = filled[name] ?? '';
    if (text === '') continue;
    const isText = kind === 'text' || (kind === 'choice' && choices.join() !== 'true,false');
    given[name] = isText ? text : (parseOrUndefined(text) ?? text);
  }
  return given;
}
