import type { Effort } from './effort.ts';
import type { Condition, Placeholder } from './query.ts';
import { signatureOf, type ToldFacts } from './toldFacts.ts';

/** Objects that variables stand for, by `name:type`. */
export type Mapping = ReadonlyMap<string, number>;

/** A condition with the tables where its facts can be, in the official engine's order. */
interface Search {
  keys: readonly string[];
  signatures: readonly string[];
}

/** Conditions made ready for many searches. */
export interface Query {
  /** In order of appearance. */
  placeholders: readonly Placeholder[];
  searches: readonly Search[];
}

export function keyOf({ name, type }: Placeholder): string {
  return `${name}:${type}`;
}

export function prepare(conditions: readonly Condition[], supertypes: ReadonlyMap<string, string>): Query {
  const children = childrenOf(supertypes);
  return {
    placeholders: conditions.flatMap(({ placeholders }) => placeholders),
    searches: conditions.map(({ predicate, placeholders }) => ({
      keys: placeholders.map(keyOf),
      signatures: rowsOfTypes(
        placeholders.map(({ type }) => type),
        children,
      ).map((types) => signatureOf(predicate, types)),
    })),
  };
}

/**
 * Every way in which all conditions are facts, first by the first condition's facts in order, then by the next one's.
 * Different variables never stand for the same object, nor for one that is bound already.
 */
export function matches({ searches }: Query, facts: ToldFacts, given: Mapping, effort: Effort): Mapping[] {
  const found: Mapping[] = [];
  const mapping = new Map(given);
  const used = new Set(given.values());
  search(searches, 0, facts, effort, mapping, used, () => {
    found.push(new Map(mapping));
    return false;
  });
  return found;
}

export function hasMatch({ searches }: Query, facts: ToldFacts, given: Mapping, effort: Effort): boolean {
  return search(searches, 0, facts, effort, new Map(given), new Set(given.values()), () => true);
}

/** Whether `found` said that it is enough. */
function search(
  searches: readonly Search[],
  depth: number,
  facts: ToldFacts,
  effort: Effort,
  mapping: Map<string, number>,
  used: Set<number>,
  found: () => boolean,
): boolean {
  const one = searches[depth];
  if (one === undefined) return found();
  for (const signature of one.signatures) {
    const args = one.keys.map((key) => mapping.get(key) ?? -1);
    for (const row of facts.rows(signature, args)) {
      effort.spend();
      const fresh: string[] = [];
      let fits = true;
      for (const [position, key] of one.keys.entries()) {
        const object = row[position] ?? -1;
        const bound = mapping.get(key);
        if (bound === undefined ? used.has(object) : bound !== object) {
          fits = false;
          break;
        }
        if (bound !== undefined) continue;
        mapping.set(key, object);
        used.add(object);
        fresh.push(key);
      }
      const enough = fits && search(searches, depth + 1, facts, effort, mapping, used, found);
      for (const key of fresh) {
        used.delete(mapping.get(key) ?? -1);
        mapping.delete(key);
      }
      if (enough) return true;
    }
  }
  return false;
}

/** Types below each type, all of them and not only the nearest: so the official engine has it. */
function childrenOf(supertypes: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>();
  for (const type of supertypes.keys()) {
    if (type === 'object') continue;
    const above = new Set<string>();
    for (let next = supertypes.get(type); next !== undefined && !above.has(next); next = supertypes.get(next))
      above.add(next);
    for (const one of above.add('object')) children.set(one, [...(children.get(one) ?? []), type]);
  }
  for (const types of children.values()) types.sort();
  return children;
}

/** A row of types and all rows of types below it, in the official engine's order, repetitions included. */
function rowsOfTypes(types: readonly string[], children: ReadonlyMap<string, readonly string[]>): string[][] {
  const below = (row: readonly string[]): string[][] => {
    const rows: string[][] = [];
    for (const [position, type] of row.entries()) {
      for (const child of children.get(type) ?? []) rows.push(row.with(position, child));
    }
    return rows;
  };
  const all = [[...types]];
  const queue = below(types);
  const seen = new Set<string>();
  for (const row of queue) {
    all.push(row);
    for (const next of below(row)) {
      const key = next.join(' ');
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(next);
    }
  }
  return all;
}
