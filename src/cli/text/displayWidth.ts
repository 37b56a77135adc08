/** Text measured in terminal cells, hidden marks in their visible forms. */
import { Styled, type Printable } from './styled.ts';

const weightless = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]$/u;

function cells(character: string): number {
  if (weightless.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Cells that a line takes; colours and combining marks (the hat of p̂) take none. */
export function displayWidth(line: Printable): number {
  let width = 0;
  for (const character of String(Styled.of(line))) width += cells(character);
  return width;
}

/** At most `width` cells of a line, its looks kept, an ellipsis where something was cut. */
export function truncate(line: Printable, width: number): Styled {
  if (displayWidth(line) <= width) return Styled.of(line);
  let room = width - 1;
  let full = width <= 0;
  return Styled.of(line).changed((text) => {
    let kept = '';
    for (const character of text) {
      if (full) break;
      const wanted = cells(character);
      full = wanted > room;
      // A joiner at the cut joins nothing any more.
      kept = full ? `${kept.replace(/[\u200C\u200D]$/u, '')}…` : kept + character;
      room -= wanted;
    }
    return kept;
  });
}

export function padEnd(line: Printable, width: number): Styled {
  return Styled.joined([line, ' '.repeat(Math.max(0, width - displayWidth(line)))]);
}

export function padStart(line: Printable, width: number): Styled {
  return Styled.joined([' '.repeat(Math.max(0, width - displayWidth(line))), line]);
}

/** All of it on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Lines of at most `width` cells, broken at spaces; a word that is longer stands alone. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  const margin = displayWidth(indent);
  for (const paragraph of text.split('\n')) {
    let line = '';
    let used = margin;
    for (const word of paragraph.split(' ')) {
      const wanted = displayWidth(word);
      if (line !== '' && used + 1 + wanted > width) {
        lines.push(indent + line);
        line = '';
      }
      used = line === '' ? margin + wanted : used + 1 + wanted;
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(indent + line);
  }
  return lines;
}
