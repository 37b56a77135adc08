import { GameError } from '../gameError.ts';

/** A bracketed list of a PDDL text, with the line (from 1) where it opens. */
export interface List {
  line: number;
  items: Item[];
}
export type Item = string | List;

/** Comments run from `;` to the line's end. Names are lower-cased, as the official reader does, and `?x?y` is two. */
function* tokens(text: string): Generator<[token: string, line: number]> {
  for (const [index, raw] of text.split('\n').entries()) {
    const [line = ''] = raw.split(';', 1);
    // The official reader refuses it too.
    if (/[^\u0000-\u007f]/.test(line)) throw problem(index + 1, 'there is a letter that is not ASCII');
    const spaced = line.replace(/[()]/g, ' $& ').replaceAll('?', ' ?');
    for (const token of spaced.split(/\s+/)) if (token !== '') yield [token.toLowerCase(), index + 1];
  }
}

/** Readers of lists call themselves for every bracket. */
const deepest = 200;

/** The one list that a PDDL text is. @throws GameError `pddl` when brackets do not match */
export function readList(text: string): List {
  const open: List[] = [];
  let whole: List | null = null;
  for (const [token, line] of tokens(text)) {
    if (whole !== null) throw problem(line, `${token} stands after the end`);
    const inner = open.at(-1);
    if (token === '(') {
      const list = { line, items: [] };
      inner?.items.push(list);
      open.push(list);
      if (open.length > deepest) throw problem(line, `there are more than ${deepest} brackets in each other`);
    } else if (inner === undefined) {
      throw problem(line, `a bracket should open, not ${token}`);
    } else if (token === ')') {
      open.pop();
      if (open.length === 0) whole = inner;
    } else {
      inner.items.push(token);
    }
  }
  const [unclosed] = open;
  if (unclosed !== undefined) throw problem(unclosed.line, 'this bracket is never closed');
  if (whole === null) throw problem(1, 'the text is empty');
  return whole;
}

/** A complaint about a line of a PDDL text. */
export function problem(line: number, what: string): GameError {
  return new GameError('pddl', `PDDL, line ${line}: ${what}.`);
}

/** @throws GameError `pddl` when it is not a list */
export function listAt(list: List, index: number): List {
  const item = list.items[index];
  if (item === undefined || typeof item === 'string') throw problem(list.line, `item ${index + 1} should be a list`);
  return item;
}

/** @throws GameError `pddl` when it is not a name */
export function nameAt(list: List, index: number): string {
  const item = list.items[index];
  if (typeof item !== 'string') throw problem(list.line, `item ${index + 1} should be a name`);
  return item;
}
