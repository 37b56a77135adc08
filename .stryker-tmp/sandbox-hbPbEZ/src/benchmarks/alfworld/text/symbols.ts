import { readExpression, type Expression } from './expression.ts';

/** A part of a rule's right-hand side. */
export type TextSymbol =
  | { kind: 'text'; text: string }
  /** `#name#`: another rule, by its exact name. */
  | { kind: 'rule'; name: string }
  /** `{what | given}`: `what` once for each match of the conditions, once without any. */
  | Each
  /** `[{…}]`: the same as a list, "a, b, and c". */
  | { kind: 'list'; each: Each };

export interface Each {
  kind: 'each';
  what: { kind: 'rule'; name: string } | { kind: 'expression'; expression: Expression };
  /** '' is none. */
  given: string;
}

const patterns = {
  rule: /#\t*([\p{L}\p{N}_()/!<>\-\s,.]+)#/uy,
  expression: /\t*([^|[\]{}\n<>]+)/y,
  given: /\t*\s*\|\s*([^;|{}\n[\]#]+)/y,
  quoted: /"([^;|"<>[\]#{}]*)"/y,
  text: /[^;|"<>[\]#{}]+/y,
  blank: /(?:\/\/[^\n]*|\s*)\n?/y,
};

/** How much of the beginning is passed over: tabs, and where a line begins, a comment or blank space. */
function blankStart(text: string): number {
  for (let at = 0; ;) {
    const from = at;
    while (text[at] === '\t') at++;
    if (at === 0 || text[at - 1] === '\n') {
      patterns.blank.lastIndex = at;
      at += patterns.blank.exec(text)?.[0].length ?? 0;
    }
    if (at === from) return at;
  }
}

/**
 * A right-hand side as symbols, read as the official reader does: what it cannot read, and all after it, is left out;
 * blank space and `//` lines at the very beginning are passed over, and so are tabs after a symbol.
 */
export function readSymbols(text: string): TextSymbol[] {
  const symbols: TextSymbol[] = [];
  let at = blankStart(text);
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return null;
    at = pattern.lastIndex;
    return found[1] ?? found[0];
  };
  const mark = (wanted: string): boolean => {
    const found = text.startsWith(wanted, at);
    if (found) at += wanted.length;
    return found;
  };
  const tabs = (): void => {
    while (text[at] === '\t') at++;
  };
  const each = (): Each | null => {
    const from = at;
    if (mark('{')) {
      tabs();
      const rule = match(patterns.rule);
      const statement = rule === null ? match(patterns.expression) : null;
      const given = match(patterns.given) ?? '';
      tabs();
      if (mark('}')) {
        if (rule !== null) return { kind: 'each', what: { kind: 'rule', name: rule }, given };
        if (statement !== null) {
          return { kind: 'each', what: { kind: 'expression', expression: readExpression(statement) }, given };
        }
      }
    }
    at = from;
    return null;
  };
  const next = (): TextSymbol | null => {
    const from = at;
    tabs();
    if (mark('[')) {
      tabs();
      const inner = each();
      tabs();
      if (inner !== null && mark(']')) return { kind: 'list', each: inner };
    }
    at = from;
    tabs();
    const one = each();
    if (one !== null) return one;
    const rule = match(patterns.rule);
    if (rule !== null) return { kind: 'rule', name: rule };
    const literal = match(patterns.quoted) ?? match(patterns.text);
    if (literal !== null) return { kind: 'text', text: literal };
    at = from;
    return null;
  };
  for (let symbol = next(); symbol !== null; symbol = next()) symbols.push(symbol);
  return symbols;
}
