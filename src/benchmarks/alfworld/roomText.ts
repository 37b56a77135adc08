import type { GameFile } from './gameFile.ts';
import { shownNames } from './names.ts';
import { readDomain } from './pddl/domain.ts';
import { readProblem } from './pddl/problem.ts';

/** A room's facts for writing a task: its contents, by the names that players see. */
interface RoomText {
  /** The game's own task: `put a hot potato in sinkbasin.`; '' where its grammar says none. */
  goal: string;
  /** A receptacle a line, with what is in it. */
  places: string;
}

/** @throws GameError when the game cannot be read */
export function roomText({ pddl_domain, pddl_problem, grammar }: GameFile): RoomText {
  const { init } = readProblem(pddl_problem, readDomain(pddl_domain));
  const names = shownNames(new Set(init.flatMap(({ terms }) => terms)));
  const nameOf = (id: string | undefined): string => names.get(id ?? '') ?? id ?? '';
  const contents = new Map<string, string[]>();
  for (const { predicate, terms } of init) if (predicate === 'receptacletype') contents.set(nameOf(terms[0]), []);
  for (const { predicate, terms } of init) {
    if (predicate === 'inreceptacle') contents.get(nameOf(terms[1]))?.push(nameOf(terms[0]));
  }
  const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
  const places = [...contents]
    .toSorted(([a], [b]) => byNumber(a, b))
    .map(([place, things]) => `${place}: ${things.length === 0 ? 'nothing' : things.toSorted(byNumber).join(', ')}`);
  const [, goal = ''] = /Your task is to: ([^"]*)/.exec(grammar) ?? [];
  return { goal, places: places.join('\n') };
}
