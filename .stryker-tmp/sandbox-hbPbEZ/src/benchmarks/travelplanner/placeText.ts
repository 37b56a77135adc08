/** How places and journeys stand in a plan's texts. */
import { space, strip } from '../python/text.ts';

/** The text before the first pair of brackets; the whole without one, or with a line end before it. */
export function plain(text: string): string {
  const open = text.indexOf('(');
  if (open === -1 || text.lastIndexOf(')') < open) return text;
  const before = text.slice(0, open);
  return before.includes('\n') ? text : before;
}

export interface Place {
  name: string;
  city: string;
}

/** `Name, City` at its last comma; the name is what stands on that comma's line. `-` for both without one. */
export function placeOf(text: string): Place {
  const comma = text.lastIndexOf(',');
  if (comma === -1 || comma === text.length - 1) return { name: '-', city: '-' };
  const line = text.lastIndexOf('\n', comma) + 1;
  return { name: strip(text.slice(line, comma)), city: strip(plain(strip(text.slice(comma + 1)))) };
}

export interface Journey {
  from: string;
  to: string;
}

const spaces = new RegExp(`[${space}]+`, 'y');
const starts = new RegExp(`from([${space}]+)`, 'g');
const isSpace = new RegExp(`[${space}]`);

/**
 * The first `from A to B` in a text, or null: A as short as can be and on one line, B up to a comma. It is
 * `from\s+(.+?)\s+to\s+([^,]+)` found in linear time.
 */
export function journeyOf(text: string): Journey | null {
  const middles = middlesOf(text);
  let next = 0;
  for (const found of text.matchAll(starts)) {
    const begin = found.index + found[0].length;
    while ((middles[next]?.gap ?? Infinity) <= begin) next += 1;
    const middle = middles[next];
    if (middle !== undefined && begin < middle.gap && !text.slice(begin, middle.gap).includes('\n')) {
      return { from: text.slice(begin, middle.gap), to: middle.to };
    }
    const inGap = withinGap(text, found.index + 4, begin);
    // If a `to` stands here, it is the last one whose white space begins before.
    const here = middles[next - 1];
    if (inGap !== -1 && here?.at === begin) return { from: text.charAt(inGap), to: here.to };
  }
  return null;
}

interface Middle {
  /** Where the white space before the `to` begins. */
  gap: number;
  /** Of the `to`. */
  at: number;
  to: string;
}

/** Every `to` between white space that something follows. */
function middlesOf(text: string): Middle[] {
  const middles: Middle[] = [];
  for (let at = text.indexOf('to'); at !== -1; at = text.indexOf('to', at + 1)) {
    spaces.lastIndex = at + 2;
    if (at === 0 || !isSpace.test(text.charAt(at - 1)) || !spaces.test(text)) continue;
    const after = spaces.lastIndex;
    const isBare = after === text.length || text[after] === ',';
    // Of more than one character of white space the last can be what B is made of.
    if (isBare && after - (at + 2) < 2) continue;
    const start = isBare ? after - 1 : after;
    const comma = text.indexOf(',', start);
    let gap = at;
    while (gap > 0 && isSpace.test(text.charAt(gap - 1))) gap -= 1;
    middles.push({ gap, at, to: text.slice(start, comma === -1 ? text.length : comma) });
  }
  return middles;
}

/** `from    to B`: A can be the last character of the white space but one, where that is no line end; -1 when none is. */
function withinGap(text: string, start: number, end: number): number {
  for (let at = end - 2; at > start; at--) if (text[at] !== '\n') return at;
  return -1;
}
