import type { LocalEnvironment, Observation } from '../../engine/ports.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Message } from '../../shared/records/message.ts';
import { commandOf, isThought } from './actionText.ts';
import type { Game } from './game.ts';
import { Play } from './play.ts';

/** Commands until an episode ends, as in the official configuration. */
const officialStepLimit = 50;

export interface EpisodeOptions {
  /** Say after every answer which commands do something. Published figures are with and without. */
  admissible?: boolean;
  /** Commands until the episode is done, won or not. */
  stepLimit?: number;
}

/** Instructions before the first observation of a task that has no prompt of its own. */
const instructions =
  'You act in a household to solve a task. In every turn, answer with one command, or with a thought that begins with ' +
  '"think:". Commands: go to R, open R, close R, take O from R, move O to R, use O, heat O with R, clean O with R, ' +
  'cool O with R, slice O with O, examine O or R, look, inventory, help. O is an object and R a place, each with its ' +
  'number, as in "take mug 1 from cabinet 2".';

/**
 * A game turn by turn, in ReAct's manner: the welcome line is cut, a thought is answered `OK.`, and every turn counts.
 */
export class AlfworldEpisode implements LocalEnvironment {
  readonly #gameOf: (task: Task) => Game;
  readonly #admissible: boolean;
  readonly #stepLimit: number;
  #play: Play | null = null;
  #steps = 0;

  constructor(
    gameOf: (task: Task) => Game,
    { admissible = false, stepLimit = officialStepLimit }: EpisodeOptions = {},
  ) {
    this.#gameOf = gameOf;
    this.#admissible = admissible;
    this.#stepLimit = stepLimit;
  }

  /** Whether the goal holds; false before the first `reset`. */
  get won(): boolean {
    return this.#play?.won ?? false;
  }

  /** @throws GameError when the task's game has no text for its beginning */
  reset(task: Task): Observation {
    const play = new Play(this.#gameOf(task));
    this.#play = play;
    this.#steps = 0;
    const first = firstObservation(play.intro);
    return this.#observation(play, task.prompt.length === 0 ? `${instructions}\n\n${first}` : first);
  }

  step(action: string): Observation {
    const play = this.#play;
    if (play === null) return { messages: [], done: true };
    this.#steps += 1;
    const command = commandOf(action);
    return this.#observation(play, isThought(command) ? 'OK.' : play.step(command));
  }

  #observation(play: Play, text: string): Observation {
    const done = play.won || this.#steps >= this.#stepLimit;
    const more = this.#admissible && !done ? `\nAdmissible commands: ${play.admissible.join(', ')}` : '';
    return { messages: [{ role: 'user', content: `${text}${more}` }], done };
  }
}

/** A finished episode's result, found by replaying its assistant turns. */
export interface EpisodeResult {
  won: boolean;
  /** Turns until it was won or over. */
  steps: number;
  /** Of these, commands that did nothing. */
  refused: number;
}

/** @throws GameError as playing does */
export function replayed(
  game: Game,
  messages: readonly Message[],
  stepLimit: number = officialStepLimit,
): EpisodeResult {
  const play = new Play(game);
  let steps = 0;
  let refused = 0;
  for (const { role, content } of messages) {
    if (play.won || steps >= stepLimit) break;
    if (role !== 'assistant') continue;
    steps += 1;
    const command = commandOf(content);
    if (isThought(command)) continue;
    if (play.step(command) === nothing) refused += 1;
  }
  return { won: play.won, steps, refused };
}

/** The answer to a command that does nothing. */
const nothing = 'Nothing happens.';

/** Without the welcome line. */
export function firstObservation(intro: string): string {
  const [, ...rest] = intro.split('\n\n');
  return rest.length === 0 ? intro : rest.join('\n\n');
}
