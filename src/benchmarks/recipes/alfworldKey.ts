/** Identifies rooms and goals by a problem's text alone: thousands of games are compared. */

/** Conditions of a goal that say more than what goes where. */
const told: ReadonlySet<string> = new Set(['ishot', 'iscool', 'isclean', 'istoggled', 'issliced', 'holds']);

/** Lists without lists in them, lower case, their blanks as one. */
const leavesOf = (text: string): string[] =>
  (text.toLowerCase().match(/\([^()]*\)/g) ?? []).map((leaf) => leaf.slice(1, -1).trim().replaceAll(/\s+/g, ' '));

function partsOf(problem: string): { init: string[]; goal: string[] } {
  const at = problem.toLowerCase().lastIndexOf('(:goal');
  const [init, goal] = at < 0 ? [problem, ''] : [problem.slice(0, at), problem.slice(at)];
  return { init: leavesOf(init), goal: leavesOf(goal) };
}

const sorted = (lines: readonly string[]): string => [...new Set(lines)].toSorted().join('\n');

/** A problem's goal, however its formula is written: kinds, conditions, and whether two are asked for. */
export function goalOf(problem: string): string {
  return sorted(
    partsOf(problem).goal.flatMap((leaf) => {
      const [predicate = '', ...terms] = leaf.split(' ');
      const kinds = terms.filter((term) => !term.startsWith('?'));
      if (predicate === '=') return ['two'];
      if (kinds.length > 0) return [[predicate, ...kinds].join(' ')];
      return told.has(predicate) ? [predicate] : [];
    }),
  );
}

/** The receptacles that there are, by their ids, which say where they stand. */
export const roomOf = (problem: string): string =>
  sorted(partsOf(problem).init.filter((leaf) => leaf.startsWith('receptacletype ')));

/** The room, and what lies where in it. */
export const stateOf = (problem: string): string =>
  sorted(
    partsOf(problem).init.filter((leaf) => leaf.startsWith('inreceptacle ') || leaf.startsWith('receptacletype ')),
  );
