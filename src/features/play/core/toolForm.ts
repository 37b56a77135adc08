/** A tool's parameters as the fields of a form, and a filled form as arguments. */
import * as z from 'zod';
import { parseExactly } from '../../../shared/json.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';
import type { Field, ShownTool } from '../contract.ts';

const propertySchema = z.looseObject({
  type: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  description: z.string().optional(),
});
const variantsSchema = z.looseObject({
  type: z.array(z.string()).optional().catch(undefined),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});
const nullSchema = z.looseObject({ type: z.literal('null') });
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
  const { description = '' } = propertySchema.safeParse(value).data ?? {};
  const { type, enum: listed } = propertySchema.safeParse(withoutNull(value)).data ?? {};
  const field = { name, help: description, required, choices: [] };
  const choices = listed?.filter((one) => one !== null);
  if (choices?.every((one) => typeof one === 'string') === true) return { ...field, kind: 'choice', choices };
  if (type === 'boolean') return { ...field, kind: 'choice', choices: ['true', 'false'] };
  if (type === 'integer' || type === 'number') return { ...field, kind: 'number' };
  return { ...field, kind: type === 'string' ? 'text' : 'json' };
}

/** A parameter that may be null, as what it is otherwise: an empty field leaves it out. */
function withoutNull(value: unknown): unknown {
  const { type, anyOf, oneOf } = variantsSchema.safeParse(value).data ?? {};
  const [variant, ...others] = (anyOf ?? oneOf ?? []).filter((one) => !nullSchema.safeParse(one).success);
  if (variant !== undefined && others.length === 0) return withoutNull(variant);
  const [only, ...rest] = type?.filter((one) => one !== 'null') ?? [];
  const { data } = propertySchema.safeParse(value);
  return data !== undefined && only !== undefined && rest.length === 0 ? { ...data, type: only } : value;
}

/** Empty fields are left out. What is no JSON, though it should be, stays a text. */
export function argumentsOf(tool: ShownTool, filled: Readonly<Record<string, string>>): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { name, kind, choices } of tool.fields) {
    const text = filled[name] ?? '';
    if (text === '') continue;
    const isText = kind === 'text' || (kind === 'choice' && choices.join() !== 'true,false');
    given[name] = isText ? text : (parseExactly(text) ?? text);
  }
  return given;
}
