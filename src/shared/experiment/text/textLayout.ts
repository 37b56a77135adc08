/** The layout of a JSON file's text: line breaks, indentation, values on one line. */
import { createScanner, type JSONScanner, type Node } from 'jsonc-parser';

/** The line break that the text uses. */
export const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** One level of indentation; two spaces where nothing is indented yet. */
export const indentUnit = (text: string): string => /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';

/** Offset of the first character of the line. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Offset of the line break, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' && at > offset ? at - 1 : at;
}

/** The white space that the line of an offset begins with. */
export const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';

const isComment = (token: string): boolean => token.startsWith('//') || token.startsWith('/*');

/** The next token; '' at the end. */
function nextToken(scanner: JSONScanner, text: string): string {
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text.slice(at, at + scanner.getTokenLength());
}

/** The next token that is neither white space nor comment. */
export function tokenAfter(text: string, offset: number): { text: string; offset: number } {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return { text: nextToken(scanner, text), offset: scanner.getTokenOffset() };
}

/** End of the line's comments after an offset, if only comments follow; else the offset itself. */
export function restOfLine(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let end = offset;
  for (let token = nextToken(scanner, text); token !== '' && !/^[\r\n]/.test(token); token = nextToken(scanner, text)) {
    if (isComment(token)) end = scanner.getPosition();
    else if (token.trim() !== '') return offset;
  }
  return end;
}

/** Whether a node's own text contains a comment. */
export function commentsIn(text: string, { offset, length }: Node): boolean {
  const own = text.slice(offset, offset + length);
  const scanner = createScanner(own, false);
  for (let token = nextToken(scanner, own); token !== ''; token = nextToken(scanner, own)) {
    if (isComment(token)) return true;
  }
  return false;
}
