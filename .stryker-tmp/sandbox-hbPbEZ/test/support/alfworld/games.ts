import { readFileSync } from 'node:fs';
import { Game, type GameOptions } from '../../../src/benchmarks/alfworld/game.ts';
import { readGameFile, type GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';

/**
 * `potato`: a real kitchen, "put a hot potato in sinkbasin". `twTest`: TextWorld's own test game, whose ids have no
 * places, so that it is played without renaming. `threeAgents`: the kitchen with three agents and an older grammar.
 */
export type GameName = 'potato' | 'twTest' | 'threeAgents';

export const gameText = (name: GameName): string => readFileSync(new URL(`${name}.tw-pddl`, import.meta.url), 'utf8');

export const gameFile = (name: GameName): GameFile => readGameFile(gameText(name));

export const optionsOf = (name: GameName): GameOptions => ({ rename: name !== 'twTest' });

export const gameOf = (name: GameName): Game => new Game(gameFile(name), optionsOf(name));

/** A part of a game replaced; it must be there. */
export function replaced(
  file: GameFile,
  part: 'pddl_domain' | 'grammar' | 'pddl_problem',
  ...pairs: readonly [string, string][]
): GameFile {
  let text = file[part];
  for (const [old, now] of pairs) {
    if (!text.includes(old)) throw new Error(`The game does not have ${old}.`);
    text = text.replace(old, () => now);
  }
  return { ...file, [part]: text };
}

/** The kitchen with texts that a reader may trip over: comments, tabs, what cannot be read, lists in odd places. */
export const oddTexts = (): GameFile =>
  replaced(
    gameFile('potato'),
    'grammar',
    [
      '"rhs": "You are not carrying anything."',
      String.raw`"rhs": "\n  //a comment\n You\tcarry {a.name or a.id}\t\tnothing 'here' \\n #list_empty# <x> gone"`,
    ],
    ['"rhs": "You close the {r.name}."', String.raw`"rhs": "{r.definite} {r.name}\t{r.type}|[{o.name}]"`],
    [
      '"rhs": "The {r.name} is closed."',
      '"rhs": "(closed) [{#overview(o)# | atlocation(a:agent, l:location) & objectatlocation(o:object, l:location)}] ' +
        '{#list_empty# | openable(r:receptacle)}{#list_empty# | opened(r:receptacle)} [{q.name | !opened(q:receptacle)}]"',
    ],
  );
