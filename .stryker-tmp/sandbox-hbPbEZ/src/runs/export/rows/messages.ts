import * as z from 'zod';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';

/** A chat message as every trainer reads it. */
export const plainMessageSchema = z.strictObject({ role: z.string(), content: z.string() });
type PlainMessage = z.infer<typeof plainMessageSchema>;

/** Role and content alone: sampled ids and separate reasoning have no place in these forms. */
export const plain = (messages: readonly Message[]): PlainMessage[] =>
  messages.map(({ role, content }) => ({ role, content }));

/** A task's tools as templates want them, as JSON text: their schemas differ, which no column survives. */
export function toolsText({ tools }: Pick<Task, 'tools'>): string | null {
  if (tools === undefined || tools.length === 0) return null;
  return JSON.stringify(tools.map((tool) => ({ type: 'function', function: tool })));
}
