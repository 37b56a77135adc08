/** ALFWorld: another household task in a known room, proven solvable by playing its walkthrough. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { LocalEnvironment, GenerationContext } from '../../engine/ports.ts';
import { ruleSchemas } from '../../shared/adapters/scorer.ts';
import type { Message } from '../../shared/records/message.ts';
import type { Task, TaskDraft } from '../../shared/records/task.ts';
import { Game } from '../alfworld/game.ts';
import { GameError } from '../alfworld/gameError.ts';
import { gameFileSchema, type GameFile } from '../alfworld/gameFile.ts';
import { gameEpisode } from '../alfworld/gameTask.ts';
import { Play } from '../alfworld/play.ts';
import { roomText } from '../alfworld/roomText.ts';
import { solve } from '../alfworld/solve.ts';
import { taskTypeSchema } from '../alfworld/taskTypes.ts';
import { readVariation, VariationError, variedGame } from '../alfworld/variation.ts';
import { TaskFault } from '../taskFault.ts';
import { environmentPrompt } from './alfworld.domain.ts';
import { goalOf, roomOf, stateOf } from './alfworldKey.ts';
import type { Recipe } from './recipe.ts';
import { inForm } from './written.ts';

/** States that the proof of a new task may look at: official rooms take tens to some hundreds. */
const mostStates = 2000;

const specSchema = ruleSchemas.alfworld.extend({ game: gameFileSchema }).strip();

export class AlfworldRecipe implements Recipe {
  readonly name = 'alfworld';
  readonly kind = 'alfworld';
  readonly needsAgreement = false;
  readonly goldFollows = true;

  misfit({ evaluation }: Parameters<Recipe['misfit']>[0]): string | null {
    if (evaluation.kind !== this.kind)
      return l10n.t('it is judged by “{0}”, not as a game of ALFWorld', evaluation.kind);
    return null;
  }

  about(seed: Task) {
    return { ...roomText(gameOf(seed)), tasks: taskTypeSchema.options.map((one) => `"${one}"`).join(', ') };
  }

  environmentPrompt(context: GenerationContext): readonly Message[] {
    return environmentPrompt({ ...context, about: this.about(context.seed) });
  }

  parse(text: string, seed: Task): TaskDraft {
    const spec = specOf(seed);
    const game = asFault(() => variedGame(spec.game, readVariation(text), { states: mostStates }));
    const steps = game.walkthrough?.length ?? 0;
    const evaluation = { ...seed.evaluation, kind: this.kind, game };
    return { prompt: seed.prompt, evaluation, gold: null, complexity: { steps }, plan: '' };
  }

  /** Plays what the game says solves it; a game that says nothing is solved anew. */
  verify({ evaluation }: Pick<TaskDraft, 'evaluation'>): void {
    const { game: file } = specOf({ evaluation });
    asFault(() => {
      const game = new Game(file);
      const play = new Play(game);
      if (play.won) throw new TaskFault('gold', l10n.t('the task is done before anything is done'));
      if (endsWon(play, file.walkthrough ?? [])) return;
      const solution = solve(game, { states: mostStates });
      if (solution.kind !== 'solved') throw new TaskFault('gold', l10n.t('the game is not proven solvable'));
    });
  }

  /** All games are posed with the same words. */
  wording(): string {
    return '';
  }

  /** The same goal in the same room is the same task, wherever things lie. */
  key({ evaluation }: Pick<Task, 'evaluation'>): string {
    const { pddl_problem: problem } = specOf({ evaluation }).game;
    return `${goalOf(problem)}\n${roomOf(problem)}`;
  }

  fingerprint({ evaluation }: Pick<Task, 'evaluation'>): string {
    const { pddl_problem: problem } = specOf({ evaluation }).game;
    return `${goalOf(problem)}\n${stateOf(problem)}`;
  }

  environment(task: Task): LocalEnvironment {
    return gameEpisode(task);
  }
}

const specOf = ({ evaluation }: Pick<Task, 'evaluation'>): z.infer<typeof specSchema> =>
  inForm(evaluation, specSchema, 'evaluation');

const gameOf = (seed: Task): GameFile => specOf(seed).game;

function endsWon(play: Play, commands: readonly string[]): boolean {
  for (const command of commands) play.step(command);
  return play.won;
}

/** A fault of a variation or a game, as the run counts it. */
function asFault<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof VariationError) throw new TaskFault(error.reason, error.message);
    if (error instanceof GameError) throw new TaskFault('gold', error.message);
    throw error;
  }
}
