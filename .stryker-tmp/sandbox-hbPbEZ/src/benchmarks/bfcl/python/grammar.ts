import type { Cursor } from './cursor.ts';
import type { Expression } from './syntax.ts';

/** The levels of Python's grammar that its other rules ask for; every one throws a PythonFault. */
export interface Grammar {
  readonly cursor: Cursor;
  expression(): Expression;
  /** An expression that may be `name := value`. */
  named(): Expression;
  /** The same, or `*value`. */
  starNamed(): Expression;
  disjunction(): Expression;
  bitwiseOr(): Expression;
  primary(): Expression;
}

/** A list with commas up to what closes it, which is left standing; the last comma may follow the last item. */
export function untilClosed<T>(cursor: Cursor, closer: string, item: () => T): { items: T[]; endsWithComma: boolean } {
  const items: T[] = [];
  let endsWithComma = false;
  while (!cursor.at(closer)) {
    items.push(item());
    endsWithComma = cursor.take(',');
    if (!endsWithComma) break;
  }
  return { items, endsWithComma };
}
