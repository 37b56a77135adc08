/** API-Bank's calls in text: `[Name(key='value', …)]`. */
import { space, word } from '../python/text.ts';

export interface ApiCall {
  /** With its brackets. */
  text: string;
  name: string;
  /** All values are strings; of a repeated key the last counts. */
  params: Map<string, string>;
}

const opening = new RegExp(`\\[([${word}]+)\\(`, 'gu');

/** The first call in a text; null without one. It ends with the last `)]` of its line. */
export function findCall(text: string): ApiCall | null {
  opening.lastIndex = 0;
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const newline = text.indexOf('\n', opening.lastIndex);
    const line = newline === -1 ? text.length : newline;
    const end = text.lastIndexOf(')]', line - 2);
    if (end >= opening.lastIndex) {
      const params = parseParams(text.slice(opening.lastIndex, end));
      return { text: text.slice(found.index, end + 2), name: found[1] ?? '', params };
    }
    // A value that begins later in this line ends no sooner.
    opening.lastIndex = line;
  }
  return null;
}

const words = new RegExp(`[${word}]+`, 'gu');
const spaces = new RegExp(`[${space}]*`, 'y');
const wordHere = new RegExp(`[${word}]+`, 'uy');

/**
 * Parameters between a call's brackets: `key='…'` or `key="…"` (shortest, at least one character, closed by either
 * quote), `key=[…]` up to the last bracket of all, `key=word`. Anything else is skipped. What is neither is passed
 * over.
 */
function parseParams(text: string): Map<string, string> {
  const params = new Map<string, string>();
  const lastBracket = text.lastIndexOf(']');
  words.lastIndex = 0;
  for (let found = words.exec(text); found !== null; found = words.exec(text)) {
    const equals = afterSpace(text, words.lastIndex);
    if (text[equals] !== '=') continue;
    const start = afterSpace(text, equals + 1);
    const value = valueAt(text, start, lastBracket);
    if (value === null) continue;
    params.set(found[0], value.text);
    words.lastIndex = value.end;
  }
  return params;
}

function valueAt(text: string, start: number, lastBracket: number): { text: string; end: number } | null {
  const first = text[start];
  if (first === "'" || first === '"') {
    const end = nextQuote(text, start + 1 + lengthAt(text, start + 1));
    return end === -1 ? null : { text: text.slice(start + 1, end), end: end + 1 };
  }
  if (first === '[') {
    return lastBracket > start ? { text: text.slice(start, lastBracket + 1), end: lastBracket + 1 } : null;
  }
  wordHere.lastIndex = start;
  const word = wordHere.exec(text);
  return word === null ? null : { text: word[0], end: wordHere.lastIndex };
}

/** UTF-16 units of the character here. */
const lengthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function nextQuote(text: string, from: number): number {
  const [single, double] = [text.indexOf("'", from), text.indexOf('"', from)];
  return single === -1 || double === -1 ? Math.max(single, double) : Math.min(single, double);
}

function afterSpace(text: string, from: number): number {
  spaces.lastIndex = from;
  spaces.exec(text);
  return spaces.lastIndex;
}
