import * as z from 'zod';
import { CaseError } from '../offline/offlineScorer.ts';
import { withoutMark } from '../../shared/text/byteOrderMark.ts';

/** One line of a dialogue's file. */
export const turnSchema = z.union([
  z.looseObject({ role: z.literal('API'), api_name: z.string(), result: z.record(z.string(), z.unknown()) }),
  z.looseObject({ role: z.enum(['User', 'AI']), text: z.string() }),
]);

/** A turn of a dialogue: what is said, or a call with its result. */
export type Turn = z.infer<typeof turnSchema>;

/** The turns of a dialogue's file. @throws CaseError `files` naming the line */
export const readDialogue = (text: string): Turn[] =>
  withoutMark(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      const parsed = turnSchema.safeParse(jsonOf(line));
      if (parsed.success) return parsed.data;
      throw new CaseError('files', 'file', `line ${index + 1} of it is no turn of a dialogue`);
    });

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The truths of a dialogue's samples: each API turn, counted from 0, makes two, 2k for itself and 2k + 1 for the turn after
 * it. A call that follows a call is therefore there twice.
 */
export const truthsOf = (turns: readonly Turn[]): (Turn | undefined)[] =>
  turns.flatMap((turn, index) => (turn.role === 'API' ? [turn, turns[index + 1]] : []));
