import { resolve } from 'node:path';
import * as z from 'zod';
import { codeOf } from '../../shared/systemError.ts';
import { dataText } from '../offline/dataText.ts';
import { CaseError, fromJson, OptionError, type OfflineScorer, type ScorerOptions } from '../offline/offlineScorer.ts';
import { Game } from './game.ts';
import { GameError } from './gameError.ts';
import { readGameFile } from './gameFile.ts';
import { Play } from './play.ts';

const commandsCase = z.object({ game: z.string().min(1).optional(), commands: z.array(z.string()) });

/**
 * `genenv score alfworld`: each case names its game, a `game.tw-pddl` file or the folder that holds it, from the folder
 * `--games`; cases that name none are played in `--game`. With `--no-rename` things are called by their ids.
 */
export async function openAlfworld(options: ScorerOptions): Promise<OfflineScorer> {
  const games = new Games(options.text('games') ?? '.', !options.has('no-rename'));
  const file = options.text('game');
  const usual = file === null ? null : await usualGame(file, games);
  return fromJson(commandsCase, async ({ game, commands }) => {
    if (game !== undefined) return played(await games.named(game), commands);
    if (usual !== null) return played(usual, commands);
    throw new CaseError(
      'form',
      'game',
      'is missing: name the game here, or one for all cases with --game FILE.tw-pddl',
    );
  });
}

/** @throws OptionError, or what reading throws */
async function usualGame(file: string, games: Games): Promise<Game> {
  try {
    return games.made(await dataText(file));
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    throw new OptionError(`${file} cannot be played: ${error.message}`, 'Give a game.tw-pddl file of ALFWorld.');
  }
}

/** Games that are held at once: a kitchen is some megabytes, and cases of a game stand together. */
const held = 32;

/** Games by the paths that cases name them by, each read once while it is held. */
class Games {
  readonly #folder: string;
  readonly #rename: boolean;
  readonly #held = new Map<string, Game>();

  constructor(folder: string, rename: boolean) {
    this.#folder = folder;
    this.#rename = rename;
  }

  /** @throws GameError `file` */
  made(text: string): Game {
    return new Game(readGameFile(text), { rename: this.#rename });
  }

  /** @throws CaseError */
  async named(name: string): Promise<Game> {
    const path = resolve(this.#folder, name);
    const game = this.#held.get(path) ?? (await this.#read(path, name));
    // The last one used is the last to go.
    this.#held.delete(path);
    this.#held.set(path, game);
    const [oldest] = this.#held.keys();
    if (this.#held.size > held && oldest !== undefined) this.#held.delete(oldest);
    return game;
  }

  async #read(path: string, name: string): Promise<Game> {
    try {
      return this.made(await textOf(path));
    } catch (error) {
      if (error instanceof GameError)
        throw new CaseError('files', 'game', `${name} cannot be played: ${error.message}`);
      if (error instanceof OptionError) throw new CaseError('files', 'game', `${error.message} ${error.remedy}`);
      const code = codeOf(error);
      if (code === '') throw error;
      const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
      throw new CaseError('files', 'game', `${name} ${what}`);
    }
  }
}

/** Of the file, or of the game in the folder. */
async function textOf(path: string): Promise<string> {
  try {
    return await dataText(path);
  } catch (error) {
    if (codeOf(error) !== 'EISDIR') throw error;
    return dataText(resolve(path, 'game.tw-pddl'));
  }
}

/** `{id, commands}` → the game as the official engine plays it, command by command, without a limit of steps. */
function played(game: Game, commands: readonly string[]): object {
  const play = new Play(game);
  const { intro, admissible, won } = play;
  const steps = commands.map((command) => {
    const feedback = play.step(command);
    return {
      command,
      feedback,
      admissible: play.admissible,
      score: play.won ? 1 : 0,
      won: play.won,
      done: play.won,
    };
  });
  return { intro, admissible, won, steps };
}
