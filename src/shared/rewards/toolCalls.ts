import * as z from 'zod';
import { parseSaid } from '../json.ts';

/** One call of a tool, as the agent wrote it. */
export const toolCallSchema = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });
export type ToolCall = z.infer<typeof toolCallSchema>;

const block = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/** Calls in `<tool_call>` blocks of JSON; null where there is none, or one that cannot be read. */
export function toolCallsOf(text: string): ToolCall[] | null {
  const calls: ToolCall[] = [];
  for (const [, inside = ''] of text.matchAll(block)) {
    const call = toolCallSchema.safeParse(parseSaid(inside));
    if (!call.success) return null;
    calls.push(call.data);
  }
  return calls.length === 0 ? null : calls;
}

/** The text beside them. */
export const withoutToolCalls = (text: string): string => text.replace(block, '').trim();

/** Arguments of a call as JSON, by whatever a server, a program or a model has for them: a tool without any has `{}`. */
export function argumentsText(given: unknown): string {
  if (typeof given !== 'string') return JSON.stringify(given ?? {});
  return given.trim() === '' ? '{}' : given;
}

/** JSON, as the model wrote it; servers differ in it. */
export const saidArgumentsSchema = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .nullish()
  .transform(argumentsText);

interface Call {
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

/** A call as text. */
export const toolText = ({ name, arguments: given }: Call): string =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${given}}\n</tool_call>`;
