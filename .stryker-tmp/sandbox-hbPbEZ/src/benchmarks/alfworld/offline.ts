import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { fromJson, OptionError, type OfflineScorer, type ScorerOptions } from '../offline/offlineScorer.ts';
import { Game } from './game.ts';
import { GameError } from './gameError.ts';
import { readGameFile } from './gameFile.ts';
import { Play } from './play.ts';

const commandsCase = z.object({ commands: z.array(z.string()) });

/** `genenv score alfworld --game FILE.tw-pddl`, with `--no-rename` things are called by their ids. */
export async function openAlfworld(options: ScorerOptions): Promise<OfflineScorer> {
  const file = options.text('game');
  if (file === null) {
    throw new OptionError('alfworld needs --game FILE.tw-pddl.', 'FILE.tw-pddl is a game of the ALFWorld data set.');
  }
  const text = await readFile(file, 'utf8');
  try {
    const game = new Game(readGameFile(text), { rename: !options.has('no-rename') });
    return fromJson(commandsCase, ({ commands }) => played(game, commands));
  } catch (error) {
    if (!(error instanceof GameError)) throw error;
    throw new OptionError(`${file} cannot be played: ${error.message}`, 'Give a game.tw-pddl file of ALFWorld.');
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
