/** Python's text literals: quotes of either kind, single or triple, raw or with escapes. */
import * as l10n from '@vscode/l10n';

const opening = /([rR]?[uU]?|[uU][rR]?)('''|"""|'|")/y;
const escapes = new Map([
  ['\n', ''],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

/** The literal that begins here and where it ends; null when none does. @throws SyntaxError when it is not whole */
export function stringAt(text: string, start: number): { value: string; end: number } | null {
  opening.lastIndex = start;
  const open = opening.exec(text);
  const quotes = open?.[2];
  const prefix = open?.[1]?.toLowerCase() ?? '';
  if (quotes === undefined || prefix.length > 1) return null;
  let value = '';
  let at = opening.lastIndex;
  while (!text.startsWith(quotes, at)) {
    const char = text.charAt(at);
    if (char === '' || (char === '\n' && quotes.length === 1)) throw new SyntaxError(l10n.t('a text is not closed'));
    if (char !== '\\') {
      value += char;
      at += 1;
    } else if (prefix === 'r') {
      value += text.slice(at, at + 2);
      at += 2;
    } else {
      const escape = escapeAt(text, at);
      value += escape.value;
      at += escape.length;
    }
  }
  return { value, end: at + quotes.length };
}

const coded = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3}))/y;

/** The value of an escape sequence. One without a meaning stays as it is. */
function escapeAt(text: string, at: number): { value: string; length: number } {
  const next = text.charAt(at + 1);
  const simple = escapes.get(next);
  if (simple !== undefined) return { value: simple, length: 2 };
  coded.lastIndex = at;
  const code = coded.exec(text);
  if (code === null) {
    if ('xuUN'.includes(next)) throw new SyntaxError(l10n.t('an escape is cut short'));
    return { value: `\\${next}`, length: 1 + next.length };
  }
  const octal = code[4];
  const point = octal === undefined ? parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16) : parseInt(octal, 8);
  if (point > 0x10ffff) throw new SyntaxError(l10n.t('an escape stands for no character'));
  return { value: String.fromCodePoint(point), length: code[0].length };
}
