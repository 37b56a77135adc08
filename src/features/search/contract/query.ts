/**
 * The little language of filters and searches: `epoch:3 verdict:fail tool:search len>400 "timeout" -tag:odd`. All terms
 * must match; a leading `-` negates one.
 */
import * as l10n from '@vscode/l10n';

/** `name:value`, `name>value`, `name<value`, `name>=value`, `name<=value`; `name:2..5` is a range, both ends included, of epochs `2-5` too. */
export type Comparison = ':' | '<' | '>' | '<=' | '>=';

export type Term =
  | { kind: 'text'; text: string; negated: boolean; at: number }
  | { kind: 'field'; field: string; comparison: Comparison; value: string; negated: boolean; at: number };

const word = /(-?)(?:([A-Za-z_](?:[\w.-]*\w)?)(:|<=|>=|<|>)("(?:[^"\\]|\\.)*"|[^\s"]+)|("(?:[^"\\]|\\.)*"|[^\s"]+))/y;
const blank = /\s*/y;

/** A field whose value is missing, as in `verdict: fail`. */
const unfinished = /^([A-Za-z_](?:[\w.-]*\w)?)(?::|<=|>=|<|>)$/;

/**
 * The terms of a typed query in order, or the place (from 0) and reason of an error.
 * @param isField of a name in small letters: what stands before a colon is one of these only if it has a value
 */
export function parseQuery(
  text: string,
  isField: (name: string) => boolean = () => false,
): { terms: Term[] } | { problem: { at: number; message: string } } {
  const terms: Term[] = [];
  let at = 0;
  for (;;) {
    blank.lastIndex = at;
    blank.exec(text);
    at = blank.lastIndex;
    if (at >= text.length) return { terms };
    word.lastIndex = at;
    const match = word.exec(text);
    if (match === null) return { problem: { at, message: l10n.t('This quotation mark has no partner.') } };
    const [, minus, field, comparison, value = '', plain = ''] = match;
    const negated = minus === '-';
    const known = comparisonOf(comparison);
    if (field !== undefined && known !== null) {
      terms.push({ kind: 'field', field: field.toLowerCase(), comparison: known, value: unquoted(value), negated, at });
    } else if (isField(unfinished.exec(plain)?.[1]?.toLowerCase() ?? '')) {
      return {
        problem: { at, message: l10n.t('Nothing stands behind "{0}": write its value without a blank.', plain) },
      };
    } else terms.push({ kind: 'text', text: unquoted(plain), negated, at });
    at = word.lastIndex;
  }
}

function comparisonOf(text: string | undefined): Comparison | null {
  return text === ':' || text === '<' || text === '>' || text === '<=' || text === '>=' ? text : null;
}

const unquoted = (text: string): string =>
  text.startsWith('"') && text.length > 1 ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text;

/** A number of a field's value: `3`, `0.4`, `40%`. Null for anything else. */
export function numberOf(value: string): number | null {
  const match = /^(-?\d+(?:\.\d+)?)(%?)$/.exec(value);
  return match === null ? null : Number(match[1]) / (match[2] === '%' ? 100 : 1);
}

/** The numbers that match `comparison value`, as an interval; null when the value is neither a number nor a range. */
export function intervalOf(
  comparison: Comparison,
  value: string,
): { low: number; high: number; open: 'low' | 'high' | null } | null {
  const range = comparison === ':' ? /^(.*?)\.\.(.*)$/.exec(value) : null;
  if (range !== null) {
    const [, from = '', to = ''] = range;
    const low = from === '' ? -Infinity : numberOf(from);
    const high = to === '' ? Infinity : numberOf(to);
    return low === null || high === null ? null : { low, high, open: null };
  }
  const number = numberOf(value);
  if (number === null) return null;
  switch (comparison) {
    case ':':
      return { low: number, high: number, open: null };
    case '<':
      return { low: -Infinity, high: number, open: 'high' };
    case '<=':
      return { low: -Infinity, high: number, open: null };
    case '>':
      return { low: number, high: Infinity, open: 'low' };
    case '>=':
      return { low: number, high: Infinity, open: null };
  }
}

/** The same of epochs, whose ranges are also typed as elsewhere: `3-7`. */
export const epochsOf = (comparison: Comparison, value: string): ReturnType<typeof intervalOf> =>
  intervalOf(comparison, comparison === ':' ? value.replace(/^(\d+)-(\d+)$/, '$1..$2') : value);

/** Whether a number lies in an interval. */
export const lies = (value: number, { low, high, open }: NonNullable<ReturnType<typeof intervalOf>>): boolean =>
  (open === 'low' ? value > low : value >= low) && (open === 'high' ? value < high : value <= high);
