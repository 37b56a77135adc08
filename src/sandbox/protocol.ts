/** Between a sandbox and its thread. */
import type { MessagePort } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { SandboxError } from './sandboxError.ts';

/** How a thread answers a blocked caller: it posts the answer to the port, then sets the word to 1 and notifies. */
export interface Waiting {
  port: MessagePort;
  word: Int32Array;
}

const replySchema = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), message: z.string(), large: z.boolean() }),
]);
export type Reply = z.infer<typeof replySchema>;

/** The content of a reply. @throws SandboxError `too-large`, `crashed` */
export function answerOf<Answer>(reply: unknown, answer: z.ZodType<Answer>): Answer {
  const read = replySchema.safeParse(reply);
  if (!read.success)
    throw new SandboxError('crashed', l10n.t('its thread answered in another form'), { cause: read.error });
  if (!read.data.ok) throw new SandboxError(read.data.large ? 'too-large' : 'crashed', read.data.message);
  const value = answer.safeParse(read.data.value);
  if (value.success) return value.data;
  throw new SandboxError('crashed', l10n.t('its thread answered in another form'), { cause: value.error });
}
