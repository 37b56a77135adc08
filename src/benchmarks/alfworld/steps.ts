/** A game cut into single steps, as the paper trains on it: what was seen and done so far → what the expert does next. */
import * as l10n from '@vscode/l10n';
import { RecordFault } from '../adapter/scope.ts';
import { firstObservation } from './episode.ts';
import { Game } from './game.ts';
import { GameError } from './gameError.ts';
import type { GameFile } from './gameFile.ts';
import { Play } from './play.ts';
import { solve } from './solve.ts';

/** A step of the expert's. All but its place is played when it is first looked at. */
export interface Step {
  /** From 0. */
  readonly step: number;
  /** The first observation, with the task. */
  readonly begin: string;
  readonly history: readonly { action: string; observation: string }[];
  /** Commands that do something now, in ascending order. */
  readonly admissible: readonly string[];
  /** The expert's. */
  readonly action: string;
}

type Seen = Omit<Step, 'step' | 'action'>;

/**
 * The steps of the game's own walkthrough; of the solver's where its file has none. Looking at one throws RecordFault
 * where the game does not go as its file says. @throws GameError without a walkthrough and a solution
 */
export function stepsOf(file: GameFile): Step[] {
  const commands = file.walkthrough ?? solved(file);
  let played: readonly Seen[] | null = null;
  const seen = (step: number): Seen => {
    played ??= seenBefore(file, commands);
    const one = played[step];
    if (one === undefined) throw new Error(`Unreachable: there is no step ${step}.`);
    return one;
  };
  return commands.map((action, step) => ({
    step,
    get begin() {
      return seen(step).begin;
    },
    get history() {
      return seen(step).history;
    },
    get admissible() {
      return seen(step).admissible;
    },
    action,
  }));
}

/** @throws GameError */
function solved(file: GameFile): readonly string[] {
  const solution = solve(new Game(file));
  if (solution.kind === 'solved') return solution.walkthrough;
  throw new GameError('file', l10n.t('The game’s file has no walkthrough, and the solver found none.'));
}

/** The view of an expert before each command. @throws RecordFault */
function seenBefore(file: GameFile, commands: readonly string[]): Seen[] {
  try {
    const play = new Play(new Game(file));
    const begin = firstObservation(play.intro);
    const history: Step['history'][number][] = [];
    const seen = commands.map((action): Seen => {
      if (!play.admissible.includes(action))
        throw new RecordFault(l10n.t('its walkthrough says “{0}”, which does nothing', action));
      const before = { begin, history: [...history], admissible: play.admissible };
      history.push({ action, observation: play.step(action) });
      return before;
    });
    if (!play.won) throw new RecordFault(l10n.t('its walkthrough does not win it'));
    return seen;
  } catch (error) {
    if (error instanceof GameError) throw new RecordFault(error.message);
    throw error;
  }
}
