/** Conversations as other programs write them, as ours. */
import * as z from 'zod';
import { parseExactly } from '../../../shared/json.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';

const partSchema = z.union([z.string(), z.looseObject({ type: z.string(), text: z.string().optional() })]);
const callSchema = z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.unknown() }) });
const messageSchema = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
  reasoning_content: z.string().nullish(),
  // Some write each call as JSON in a text.
  tool_calls: z.array(z.union([z.string(), callSchema])).nullish(),
  name: z.string().nullish(),
});
const roles = { developer: 'system', function: 'tool' } as const;

/** A list of messages, or a JSON text of one; null for anything else. */
export function messagesOf(value: unknown): Message[] | null {
  const parsed = z.array(messageSchema).safeParse(listOf(value));
  return parsed.success ? parsed.data.map(messageOf) : null;
}

/** A text, or a list of messages; a text is one turn of this role. Null for other and empty values. */
export function turnsOf(value: unknown, role: 'user' | 'assistant'): Message[] | null {
  const messages = messagesOf(value);
  if (messages !== null) return messages.length === 0 ? null : messages;
  return typeof value === 'string' && value.trim() !== '' ? [{ role, content: value }] : null;
}

const listOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*\[\s*\{/.test(value) ? parseExactly(value) : value;

function messageOf({
  role,
  content,
  reasoning_content: reasoning,
  tool_calls: calls,
  name,
}: z.infer<typeof messageSchema>) {
  const said = [textOf(content), ...(calls ?? []).map(callText)].filter((text) => text !== '');
  const message: Message = {
    role: role === 'developer' || role === 'function' ? roles[role] : role,
    content: said.join('\n'),
  };
  if (typeof reasoning === 'string' && reasoning !== '') message.reasoning = reasoning;
  if (message.role === 'tool' && typeof name === 'string' && name !== '') message.name = name;
  return message;
}

function textOf(content: z.infer<typeof messageSchema>['content']): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (typeof part === 'string' ? part : (part.text ?? `[${part.type}]`))).join('');
}

/** `name({…})`, the readable form in a trace. */
function callText(call: string | z.infer<typeof callSchema>): string {
  const parsed = typeof call === 'string' ? callSchema.safeParse(parseExactly(call)).data : call;
  if (parsed === undefined) return JSON.stringify(call);
  const { name, arguments: given } = parsed.function;
  return `${name}(${typeof given === 'string' ? given : JSON.stringify(given ?? {})})`;
}

const toolSchema = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
});
const toolsSchema = z.array(
  z.union([z.looseObject({ function: toolSchema }).transform((tool) => tool.function), toolSchema]),
);

/** Tool specs in the form of OpenAI, or bare; none where they cannot be read. */
export function toolsOf(value: unknown): ToolSpec[] {
  const parsed = toolsSchema.safeParse(listOf(value));
  if (!parsed.success) return [];
  return parsed.data.map(({ name, description, parameters }) => ({
    name,
    description: description ?? '',
    parameters: parameters ?? {},
  }));
}
