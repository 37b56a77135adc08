import { GameError } from '../gameError.ts';
import { Effort } from './effort.ts';
import { evaluate, type Entity } from './expression.ts';
import { hasMatch, keyOf, matches, prepare, type Mapping, type Query } from './matches.ts';
import { readQuery } from './query.ts';
import type { Each, TextSymbol } from './symbols.ts';
import type { ToldFacts } from './toldFacts.ts';
import type { Alternative } from './twl2.ts';

/** The objects that a text's variables stand for. */
export interface Context {
  mapping: Mapping;
  /** The same by name alone, as expressions see them. */
  variables: ReadonlyMap<string, number>;
}

/** The facts that one text is made from, and what it has cost. */
interface Source {
  facts: ToldFacts;
  effort: Effort;
}

/** A rule that comes back to itself would never end. */
const deepest = 200;

/** Texts of one game: rules, applied to facts. */
export class Texts {
  readonly #rules: ReadonlyMap<string, readonly Alternative[]>;
  readonly #entities: readonly Entity[];
  readonly #supertypes: ReadonlyMap<string, string>;
  readonly #queries = new Map<string, Query>();

  /** `entities` by the objects' numbers, `supertypes` of every declared type. */
  constructor(
    rules: ReadonlyMap<string, readonly Alternative[]>,
    entities: readonly Entity[],
    supertypes: ReadonlyMap<string, string>,
  ) {
    this.#rules = rules;
    this.#entities = entities;
    this.#supertypes = supertypes;
  }

  /** @throws GameError `text` where the grammar has no text, or one that never ends */
  derive(symbols: readonly TextSymbol[], context: Context, facts: ToldFacts): string {
    return this.#derive(symbols, context, { facts, effort: new Effort() }, 0);
  }

  #derive(symbols: readonly TextSymbol[], context: Context, from: Source, depth: number): string {
    if (depth > deepest) throw new GameError('text', 'A rule of the text grammar never ends.');
    let text = '';
    for (const symbol of symbols) {
      from.effort.spend();
      if (symbol.kind === 'text') text += symbol.text;
      else if (symbol.kind === 'rule') text += this.#rule(symbol.name, context, from, depth);
      else if (symbol.kind === 'each') text += this.#each(symbol, context, from, depth).join('');
      else text += this.#list(this.#each(symbol.each, context, from, depth), context, from, depth);
    }
    return text;
  }

  #rule(name: string, context: Context, from: Source, depth: number): string {
    const alternatives = this.#rules.get(name);
    const taken = alternatives?.find(
      ({ condition }) => condition === '' || hasMatch(this.#query(condition), from.facts, context.mapping, from.effort),
    );
    if (taken === undefined) {
      const why = alternatives === undefined ? 'there is none' : 'no alternative applies';
      throw new GameError('text', `The text grammar needs the rule #${name}#, but ${why}.`);
    }
    return this.#derive(taken.symbols, context, from, depth + 1);
  }

  #each({ what, given }: Each, context: Context, from: Source, depth: number): string[] {
    const contexts = given === '' ? [context] : this.#contexts(given, context, from);
    return contexts.map((one) => {
      if (what.kind === 'rule') return this.#rule(what.name, one, from, depth);
      return evaluate(what.expression, (variable) => {
        const object = one.variables.get(variable);
        return object === undefined ? undefined : this.#entities[object];
      });
    });
  }

  #contexts(given: string, context: Context, { facts, effort }: Source): Context[] {
    const query = this.#query(given);
    return matches(query, facts, context.mapping, effort).map((mapping) => {
      const variables = new Map(context.variables);
      for (const placeholder of query.placeholders) {
        const object = mapping.get(keyOf(placeholder));
        if (object !== undefined) variables.set(placeholder.name, object);
      }
      return { mapping, variables };
    });
  }

  /** No item is the rule `list_empty`; more than one are joined by `list_separator` and `list_last_separator`. */
  #list(items: readonly string[], context: Context, from: Source, depth: number): string {
    const [first] = items;
    if (first === undefined) return this.#rule('list_empty', context, from, depth);
    if (items.length === 1) return first;
    const separator = items.length > 2 ? this.#rule('list_separator', context, from, depth) : '';
    const last = this.#rule('list_last_separator', context, from, depth);
    return `${items.slice(0, -1).join(separator)}${last}${items.at(-1) ?? ''}`;
  }

  #query(source: string): Query {
    let query = this.#queries.get(source);
    if (query === undefined) {
      query = prepare(readQuery(source), this.#supertypes);
      this.#queries.set(source, query);
    }
    return query;
  }
}
