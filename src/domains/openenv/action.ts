/** An answer as an action of an OpenEnv server, where a domain file does not read it itself. */
import * as z from 'zod';
import { parseSaid } from '../../shared/json.ts';

const actionSchema = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.unknown() })).catch({}),
  required: z.array(z.string()).catch([]),
});

/** Every action has it, and an agent has nothing to say in it. */
const apart = 'metadata';
const ofCalls = ['type', 'tool_name', 'arguments', apart];

/** Whether actions are calls of tools and nothing else: then a call is a step, which has a reward. */
export function callsAreSteps(schema: unknown): boolean {
  const { properties } = actionSchema.parse(schema);
  return Object.keys(properties).every((name) => ofCalls.includes(name));
}

/** The action, or why the text is none. */
export function actionOf(text: string, schema: unknown): { action: Record<string, unknown> } | { reject: string } {
  const [, fenced] = /^```(?:json)?\s*\n([\s\S]*?)\n```\s*$/m.exec(text) ?? [];
  const object = z.record(z.string(), z.unknown()).safeParse(parseSaid((fenced ?? text).trim()));
  if (object.success) return { action: object.data };
  const { properties, required } = actionSchema.parse(schema);
  const [only, ...others] = required;
  if (only !== undefined && others.length === 0) {
    const said = text.trim();
    const { type } = properties[only] ?? {};
    if (type === 'string') return { action: { [only]: said } };
    const number = Number(said);
    const fits = type === 'integer' ? Number.isInteger(number) : type === 'number' && Number.isFinite(number);
    if (fits && said !== '') return { action: { [only]: number } };
  }
  const fields = Object.keys(properties).filter((name) => name !== apart);
  return { reject: `The answer is no action. Answer with one JSON object; its fields: ${fields.join(', ')}.` };
}
