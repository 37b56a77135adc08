/** Attempts that are not recorded yet, as they pass to those who watch: the newest of what was said, never all of it. */
import * as z from 'zod';
import { messageSchema, type Message } from './message.ts';

/** Attempts, turns of each, characters of a turn, and characters in all. */
const [mostAttempts, newestTurns, longestText, longestInAll] = [48, 8, 2_000, 160_000];

const turnSchema = messageSchema
  .pick({ role: true, content: true, name: true })
  .extend({ content: z.string().max(longestText + 1) });

const attemptSchema = z.strictObject({
  /** Of its trace, once it is recorded. */
  id: z.string(),
  /** Messages after the task's prompt. */
  said: z.int().nonnegative(),
  /** The last of them, cut to a length. */
  newest: z.array(turnSchema).max(newestTurns),
});

/** How many attempts at a task have said something, and the first of these. */
export const saidSoFarSchema = z.strictObject({
  attempts: z.int().nonnegative(),
  first: z.array(attemptSchema).max(mostAttempts),
});
export type SaidSoFar = z.infer<typeof saidSoFarSchema>;

export function saidSoFar(attempts: readonly { id: string; messages: readonly Message[] }[]): SaidSoFar {
  const first = attempts.slice(0, mostAttempts);
  const longest = Math.min(longestText, Math.floor(longestInAll / Math.max(1, first.length * newestTurns)));
  return {
    attempts: attempts.length,
    first: first.map(({ id, messages }) => ({
      ...{ id, said: messages.length },
      newest: messages.slice(-newestTurns).map(({ role, content, name }) => ({
        ...{ role, content: beginning(content, longest) },
        ...(name !== undefined && { name }),
      })),
    })),
  };
}

/** Cuts no surrogate pair. */
const beginning = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…`;
