/** Text measured in terminal cells. */

// Colours and cursor moves, which take no cell.

const escapes = /\u001B\[[0-9;?]*[A-Za-z]/g;
const weightless = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]$/u;

function cells(character: string): number {
  if (weightless.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Cells that a line takes; colours and combining marks (the hat of p̂) take none. */
export function displayWidth(line: string): number {
  let width = 0;
  for (const character of line.replace(escapes, '')) width += cells(character);
  return width;
}

/** At most `width` cells of a line, colours kept, an ellipsis where something was cut. */
export function truncate(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  let rest = line;
  while (rest !== '') {
    const escape = leadingEscape(rest);
    if (escape !== null) {
      kept += escape;
      rest = rest.slice(escape.length);
      continue;
    }
    const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    rest = rest.slice(character.length);
    if (used + cells(character) > width - 1) {
      kept += '…';
      break;
    }
    kept += character;
    used += cells(character);
  }
  // What was switched on before the cut must be switched off after it.
  return kept + Array.from(rest.matchAll(escapes), ([escape]) => escape).join('');
}

function leadingEscape(text: string): string | null {
  const match = new RegExp(`^${escapes.source}`).exec(text);
  return match === null ? null : match[0];
}

export function padEnd(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - displayWidth(line)));
}

export function padStart(line: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(line))) + line;
}

/**
 * Text that a model wrote, made safe to print: control characters, which could move the cursor or retitle the window,
 * are shown instead of obeyed. Line breaks and tabs stay.
 */
export function harmless(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, (control) => {
    const code = control.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '�';
  });
}

/** The same on one line. */
export function oneLine(text: string): string {
  return harmless(text.replace(/\s+/g, ' ').trim());
}

/** Lines of at most `width` cells, broken at spaces; a word that is longer stands alone. */
export function wrap(text: string, width: number, indent = ''): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && displayWidth(indent + longer) > width) {
        lines.push(indent + line);
        line = word;
      } else line = longer;
    }
    lines.push(indent + line);
  }
  return lines;
}
