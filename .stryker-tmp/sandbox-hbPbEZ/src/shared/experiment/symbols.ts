import { fieldAt } from './fields.ts';

/** `α (curriculum.alpha)`, or the field's name where it has no letter: prose says the letter, code the name. */
export function spoken(field: string): string {
  const symbol = fieldAt(field)?.symbol;
  return symbol === undefined ? field : `${symbol} (${field})`;
}
