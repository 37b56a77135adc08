import { GameError } from '../gameError.ts';

/** A variable of a condition. Two are the same when name and type are. */
export interface Placeholder {
  name: string;
  type: string;
}

/** One condition: a predicate (`not_…`: what was deleted) over variables. */
export interface Condition {
  predicate: string;
  placeholders: readonly Placeholder[];
}

/** `pred(x:type, …) & …`; a variable without a type has its own name for one. @throws GameError `text` */
export function readQuery(source: string): Condition[] {
  const fail = (why: string): GameError =>
    new GameError('text', `The text grammar has a condition that cannot be read: ${source} (${why}).`);
  const types = new Map<string, string>();
  const placeholder = (one: string): Placeholder => {
    const match = /^\s*([\p{L}\p{N}_']+)(?:\s*:\s*([\p{L}\p{N}_/-]+))?\s*$/u.exec(one);
    const name = match?.[1];
    if (name === undefined) throw fail(`${one.trim()} is no variable`);
    const type = match?.[2] ?? name.replace(/'+$/, '');
    if ((types.get(name) ?? type) !== type) throw fail(`${name} has two types`);
    types.set(name, type);
    return { name, type };
  };
  return source.split('&').map((part) => {
    const match = /^\s*(!?)([\p{L}\p{N}_/]+)\s*\(([^()]*)\)\s*$/u.exec(part);
    const name = match?.[2];
    const list = match?.[3];
    if (name === undefined || list === undefined) throw fail(`${part.trim()} is no predicate`);
    return {
      predicate: match?.[1] === '!' ? negated(name) : name,
      placeholders: list.trim() === '' ? [] : list.split(',').map(placeholder),
    };
  });
}

/** The opposite, as the official engine names it. */
export function negated(predicate: string): string {
  return predicate.startsWith('not_') ? predicate.slice('not_'.length) : `not_${predicate}`;
}
