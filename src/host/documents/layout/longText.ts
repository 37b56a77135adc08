/** Texts that are too long for a document: how they begin, and ranges of them for a document of their own. */

export interface Limit {
  characters: number;
  lines: number;
}

/** Of a text that stands alone in its document. */
export const rangeLimit: Limit = { characters: 1_000_000, lines: 20_000 };
/** Of a text among others. */
const textLimit: Limit = { characters: 100_000, lines: 1000 };
/** Of all texts of a document together. */
const documentLimit: Limit = { characters: 2_000_000, lines: 40_000 };
const leastLimit: Limit = { characters: 200, lines: 5 };

/** The size limit of each of several texts, so that a document of all of them can be opened. */
export const limitOf = (texts: number): Limit => ({
  characters: between(leastLimit.characters, documentLimit.characters / texts, textLimit.characters),
  lines: between(leastLimit.lines, documentLimit.lines / texts, textLimit.lines),
});

const between = (least: number, wanted: number, most: number): number =>
  Math.max(least, Math.min(most, Math.floor(wanted)));

/** Where a range ends that begins here: at the text's end, behind a line, or within one that is too long. */
export function endOfRange(text: string, from: number, { characters, lines }: Limit): number {
  if (text.length - from <= characters && linesWithin(text, from, lines) === text.length) return text.length;
  const most = Math.min(from + characters, linesWithin(text, from, lines));
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > from) return line;
  // The two halves of a character stay together.
  const unit = text.charCodeAt(most - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? most - 1 : most;
}

/** Where as many lines end. */
function linesWithin(text: string, from: number, lines: number): number {
  let at = from;
  for (let line = 0; line < lines; line++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

/** Where each range of a text begins. */
export function rangesOf(text: string): number[] {
  const starts = [0];
  for (let at = endOfRange(text, 0, rangeLimit); at < text.length; at = endOfRange(text, at, rangeLimit))
    starts.push(at);
  return starts;
}
