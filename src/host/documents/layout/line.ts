/** Text with meaningful stretches; assembled before its place in a document is known. */
import { largest } from '../../../shared/extremes.ts';
import type { Meaning } from './meaning.ts';

/** A stretch of a text. */
export interface InLine {
  start: number;
  end: number;
  means: Meaning;
}

export interface Line {
  text: string;
  marks: readonly InLine[];
}

/** A text with one meaning as a whole. */
export const marked = (text: string, ...means: readonly Meaning[]): Line => ({
  text,
  marks: means.map((one) => ({ start: 0, end: text.length, means: one })),
});

/** Texts one after another. */
export function written(...pieces: readonly (Line | string)[]): Line {
  let text = '';
  const marks: InLine[] = [];
  for (const piece of pieces) {
    const { text: more, marks: inPiece } = typeof piece === 'string' ? { text: piece, marks: [] } : piece;
    for (const { start, end, means } of inPiece) {
      marks.push({ start: start + text.length, end: end + text.length, means });
    }
    text += more;
  }
  return { text, marks };
}

/** A text of several lines, every line indented; a stretch over several lines is marked in its first. */
export function setIn(given: Line | string, by = '  '): Line[] {
  const { text, marks } = typeof given === 'string' ? { text: given, marks: [] } : given;
  const ordered = marks.toSorted((a, b) => a.start - b.start);
  let from = 0;
  let next = 0;
  return text.split('\n').map((whole) => {
    const start = from;
    from += whole.length + 1;
    const line = whole.replace(/\r$/, '');
    const first = next;
    while ((ordered[next]?.start ?? Infinity) < from) next += 1;
    if (line === '') return { text: '', marks: [] };
    const inside = ordered.slice(first, next).filter((mark) => mark.start < start + line.length);
    return {
      text: `${by}${line}`,
      marks: inside.map((mark) => ({
        start: mark.start - start + by.length,
        end: Math.min(mark.end - start, line.length) + by.length,
        means: mark.means,
      })),
    };
  });
}

/** `plan        steps 3 tools 4`: names in one column, their values in the next; empty values are left out. */
export function columns(rows: readonly (readonly [string, Line | string | null | undefined])[]): Line[] {
  const shown = rows.flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const line = typeof value === 'string' ? { text: value, marks: [] } : value;
    return line.text === '' ? [] : [{ name, line }];
  });
  const longest = Math.max(0, largest(shown.map(({ name }) => name.length)));
  return shown.map(({ name, line }) => written(`${name.padEnd(longest)}   `, line));
}
