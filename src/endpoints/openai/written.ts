/** Answers that a model has written, which are paid for, whatever their form. */
import * as z from 'zod';
import * as l10n from '@vscode/l10n';
import type { Unreadable } from '../http/httpClient.ts';

const writtenSchema = z.object({ choices: z.array(z.unknown()).min(1) });

/**
 * The consequence of an answer whose form is wrong. A server that has choices to tell keeps its form, and bills each: it is asked
 * once more. Anything else comes from something in between, or is an error, and may be over soon.
 */
export function unreadable(answer: unknown): Unreadable {
  if (!writtenSchema.safeParse(answer).success) return {};
  const remedy = l10n.t(
    'This server answers in a form of its own: see whether a newer version has the usual one, or choose another server.',
  );
  return { tries: 2, remedy };
}
