import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { GameError } from './gameError.ts';

/** A `game.tw-pddl` file. */
export const gameFileSchema = z.looseObject({
  pddl_domain: z.string(),
  /** A text grammar (twl2) with the task's sentence filled in. */
  grammar: z.string(),
  pddl_problem: z.string(),
  /** Absent: not tried. */
  solvable: z.boolean().optional(),
  walkthrough: z.array(z.string()).nullish(),
});
export type GameFile = z.infer<typeof gameFileSchema>;

/** @throws GameError `file` when the text is no game file */
export function readGameFile(text: string): GameFile {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new GameError('file', l10n.t('A game file is JSON, which this is not ({0}).', error.message));
  }
  const parsed = gameFileSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GameError('file', l10n.t('A game file needs {0}: {1}.', issue?.path.join('.') ?? '', issue?.message ?? ''));
}
