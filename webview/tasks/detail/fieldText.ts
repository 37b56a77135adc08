/** A task's fields as the texts in which they are shown and sent. Pure. */
import * as z from 'zod';
import { parseOrUndefined } from '../../../src/shared/json.ts';
import { messageSchema, type Message } from '../../../src/shared/records/message.ts';
import { defined } from '../../../src/shared/defined.ts';
import type { TaskDetail, TaskField } from '../../../src/features/tasks/contract.ts';

const turnsSchema = z.array(messageSchema);

/** In the contract's form: JSON, formatted for reading; the gold unchanged; '' for none. */
export function textOf(field: TaskField, draft: TaskDetail['draft']): string {
  if (field === 'gold') return draft.gold ?? '';
  const value = draft[field];
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** Whether two texts give a field the same value: neither spaces nor the order of names in JSON count. */
export function sameText(field: TaskField, first: string, second: string): boolean {
  if (first === second) return true;
  if (field === 'gold') return false;
  const [a, b] = [parseOrUndefined(first), parseOrUndefined(second)];
  return a !== undefined && b !== undefined && ordered(a) === ordered(b);
}

/** A prompt's turns; null for a text that is none. */
export function turnsOf(text: string): Message[] | null {
  const parsed = turnsSchema.safeParse(parseOrUndefined(text));
  return parsed.success ? parsed.data : null;
}

/** A turn with changed words: its sampled ids belong to the old words. */
export function reworded(turn: Message, content: string): Message {
  if (turn.content === content) return turn;
  const { role, reasoning, name } = turn;
  return { role, content, ...defined({ reasoning, name }) };
}

/** A field's readable form: turns as lines, everything else as its text. */
export function prose(field: TaskField, text: string): string {
  const turns = field === 'prompt' ? turnsOf(text) : null;
  return turns === null ? text : turns.map(({ role, content }) => `${role}: ${content}`).join('\n\n');
}

const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
