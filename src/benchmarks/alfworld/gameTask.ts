/** Games as tasks of an adapter: the evaluation holds the game, and winning it is the success. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { LocalEnvironment, Scorer } from '../../engine/ports.ts';
import { ruleSchemas } from '../../shared/adapters/scorer.ts';
import type { EvaluationSpec, Task } from '../../shared/records/task.ts';
import type { Verdict } from '../../shared/records/trace.ts';
import { AlfworldEpisode, replayed } from './episode.ts';
import { Game } from './game.ts';
import { GameError } from './gameError.ts';
import { gameFileSchema } from './gameFile.ts';
import { Play } from './play.ts';
import type { ScorerRule } from '../scorerRule.ts';

const specSchema = ruleSchemas.alfworld.extend({ game: gameFileSchema }).strip();
type Spec = z.infer<typeof specSchema>;

type Judged = Parameters<Scorer['score']>[0];

/** @throws GameError `file` */
function specOf(evaluation: EvaluationSpec): Spec {
  const parsed = specSchema.safeParse(evaluation);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new GameError('file', `evaluation.${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

/** The episode of a task that has been found without fault. */
export function gameEpisode({ evaluation }: Pick<Task, 'evaluation'>): LocalEnvironment {
  const { game, admissible } = specOf(evaluation);
  return new AlfworldEpisode(() => new Game(game), { admissible });
}

/** The official commands, a turn each; null where the game's file tells none. @throws GameError `file` */
export const walkthroughOf = ({ evaluation }: Pick<Task, 'evaluation'>): readonly string[] | null =>
  specOf(evaluation).game.walkthrough ?? null;

/** Plays the assistant's turns again: success is a game that is won within the official limit of steps. */
export class GameScorer implements ScorerRule {
  fault({ evaluation }: Judged): string | null {
    try {
      return new Play(new Game(specOf(evaluation).game)).intro === ''
        ? l10n.t('the game says nothing at its beginning')
        : null;
    } catch (error) {
      if (error instanceof GameError) return error.message;
      throw error;
    }
  }

  /** It takes more than one turn. */
  goldAnswer(): null {
    return null;
  }

  episode(task: Judged): LocalEnvironment {
    return gameEpisode(task);
  }

  score({ evaluation }: Judged, { messages }: Parameters<Scorer['score']>[1]): Verdict {
    const { won, steps, refused } = replayed(new Game(specOf(evaluation).game), messages);
    if (won) return { success: true, reward: 1, valid: true };
    const note = l10n.t('not won in {0} turns, {1} of which did nothing', steps, refused);
    return { success: false, reward: 0, valid: refused < steps, note };
  }
}
