import type { Game } from './game.ts';
import { Play } from './play.ts';
import { RelaxedPlanner } from './world/relaxedPlan.ts';
import { search } from './world/search.ts';

/**
 * `solved`: the walkthrough was played and won. `unsolvable`: no order of actions ever wins. `unproven`: neither was
 * found within the bound.
 */
export type Solution =
  | { kind: 'solved'; walkthrough: string[] }
  | { kind: 'unsolvable' }
  | { kind: 'unproven'; states: number };

/** Proves that a game can be won, by a walkthrough (not always the shortest). `states`: how many states to look at. */
export function solve(game: Game, { states = 2000 }: { states?: number } = {}): Solution {
  const { world } = game;
  if (world.goals.length === 0) return { kind: 'unsolvable' };
  const found = search(world, new RelaxedPlanner(world), states);
  if (found.kind !== 'solved') return found;
  const commands = found.plan.flatMap((operator) => game.command(operator)?.text ?? []);
  if (!wins(game, commands)) return { kind: 'unproven', states: found.states };
  return { kind: 'solved', walkthrough: shortened(game, commands) };
}

/** Without the commands that it does not need: a greedy search walks about. */
function shortened(game: Game, commands: readonly string[]): string[] {
  let left = [...commands];
  for (let at = left.length - 1; at >= 0; at--) {
    const fewer = left.toSpliced(at, 1);
    if (wins(game, fewer)) left = fewer;
  }
  return left;
}

/** Whether every command does something and the last one wins. */
function wins(game: Game, commands: readonly string[]): boolean {
  const play = new Play(game);
  for (const command of commands) {
    if (!play.admissible.includes(command)) return false;
    play.step(command);
  }
  return play.won;
}
