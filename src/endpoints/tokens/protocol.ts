/** Between the tokens of a model and the thread that makes them. */
import * as z from 'zod';
import type { Message } from '../../shared/records/message.ts';
import type { ToolSpec } from '../../shared/records/task.ts';

// Conversations are our own, and looking at each of their tokens would take as long as making them.
const conversation = {
  messages: z.custom<readonly Message[]>(Array.isArray),
  tools: z.custom<readonly ToolSpec[]>(Array.isArray),
};
const ids = z.custom<number[]>((value) => Array.isArray(value) && value.every(Number.isInteger));

export const jobSchema = z.discriminatedUnion('type', [
  /** Reads the files, all of which lie on the disk by now. */
  z.strictObject({ type: z.literal('open'), source: z.string(), cache: z.string() }),
  z.strictObject({ type: z.literal('prompt'), ...conversation }),
  z.strictObject({ type: z.literal('render'), ...conversation }),
  z.strictObject({ type: z.literal('decode'), ids: z.custom<readonly number[]>(Array.isArray) }),
  /** Each by itself. */
  z.strictObject({ type: z.literal('words'), ids: z.custom<readonly number[]>(Array.isArray) }),
]);
export type TokensJob = z.infer<typeof jobSchema>;

export const answerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('opened'), stop: ids }),
  z.strictObject({ type: z.literal('tokens'), tokens: ids }),
  z.strictObject({
    type: z.literal('rendered'),
    tokens: ids,
    spans: z.array(z.tuple([z.number(), z.number()])),
  }),
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('texts'), texts: z.array(z.string()) }),
  z.strictObject({
    type: z.literal('refused'),
    reason: z.enum(['missing', 'format', 'template', 'text', 'limit']),
    message: z.string(),
    remedy: z.string(),
  }),
]);
export type TokensAnswer = z.infer<typeof answerSchema>;
