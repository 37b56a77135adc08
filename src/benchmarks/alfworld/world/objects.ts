import { GameError } from '../gameError.ts';
import type { Domain } from '../pddl/domain.ts';
import type { Typed } from '../pddl/formula.ts';

/** The objects of a problem as numbers 0 … n−1 in the order of their names, and what types they fit. */
export class Objects {
  /** In ascending order, as the official engine sorts: by code point. */
  readonly names: readonly string[];
  readonly types: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;
  readonly #members = new Map<string, readonly number[]>();
  readonly #fits = new Map<string, ReadonlySet<number>>();

  /** @throws GameError `pddl` when an object's type is not declared */
  constructor(domain: Domain, objects: readonly Typed[]) {
    const sorted = [...objects].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.names = sorted.map(({ name }) => name);
    this.types = sorted.map(({ type }) => type);
    this.#ids = new Map(this.names.map((name, id) => [name, id]));
    const members = new Map<string, number[]>();
    for (const [id, { name, type }] of sorted.entries()) {
      if (type !== 'object' && !domain.types.has(type)) {
        throw new GameError('pddl', `${name} is of the type ${type}, which the domain does not declare.`);
      }
      for (const one of withSupertypes(domain, type)) members.set(one, [...(members.get(one) ?? []), id]);
    }
    for (const [type, ids] of members) {
      this.#members.set(type, ids);
      this.#fits.set(type, new Set(ids));
    }
  }

  /** @throws GameError `pddl` for a name that no object has */
  id(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new GameError('pddl', `There is no object ${name}.`);
    return id;
  }

  /** Ascending. An undeclared type has none, as in the official engine. */
  ofType(type: string): readonly number[] {
    return this.#members.get(type) ?? [];
  }

  fits(id: number, type: string): boolean {
    return this.#fits.get(type)?.has(id) ?? false;
  }

  /** Name of an id that is one. */
  name(id: number): string {
    return this.names[id] ?? '';
  }
}

function withSupertypes(domain: Domain, type: string): Set<string> {
  const all = new Set([type]);
  for (let next = domain.types.get(type); next !== undefined && !all.has(next); next = domain.types.get(next)) {
    all.add(next);
  }
  return all.add('object');
}
