/**
 * Changes of single fields in the text of an experiment file. Comments, order and formatting stay: jsonc-parser's own
 * `modify` takes the comment beside a removed or last field with it, so lines are cut and added here.
 */
import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import type { FieldValue } from '../field.ts';
import type { Path } from './jsonText.ts';
import { commentsIn, eolOf, indentOf, indentUnit, lineEnd, lineStart, restOfLine, tokenAfter } from './textLayout.ts';

/** One value in a JSON text: its new value, its new name, or no `to` and no `rename` to leave it out. */
export interface JsonEdit {
  /** Names, and indices of lists: of items that are there already. */
  path: Path;
  to?: unknown;
  rename?: string | undefined;
}

/** The same of a field of an experiment. */
export interface FieldEdit extends JsonEdit {
  path: readonly string[];
  to?: FieldValue | Readonly<Record<string, FieldValue>> | undefined;
}

/** The text cannot be changed because it cannot be read. */
export class UnreadableText extends Error {
  override readonly name = 'UnreadableText';
  readonly remedy = l10n.t('Open it as text and correct what is malformed.');

  constructor() {
    super(l10n.t('The file is not well-formed JSON, so a field of it cannot be changed.'));
  }
}

/** The text with every edit made, in order. @throws UnreadableText */
export function editText(text: string, edits: readonly JsonEdit[]): string {
  return edits.reduce(editField, text);
}

/** The smallest replacement that turns one text into another; null when they are the same. */
export function smallestChange(before: string, after: string): { offset: number; length: number; text: string } | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  // Half a line break or half a character cannot be replaced on its own.
  while (start > 0 && joined(before, start)) start -= 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  while (end > 0 && (joined(before, before.length - end) || joined(after, after.length - end))) end -= 1;
  return { offset: start, length: before.length - end - start, text: after.slice(start, after.length - end) };
}

/** Whether the characters on both sides of an offset belong together. */
function joined(text: string, offset: number): boolean {
  const [left, right] = [text.charCodeAt(offset - 1), text.charCodeAt(offset)];
  return (left === 13 && right === 10) || (left >= 0xd800 && left < 0xdc00);
}

function editField(text: string, { path, to, rename }: JsonEdit): string {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  if (root?.type !== 'object' || errors.length > 0) throw new UnreadableText();
  const found = findNodeAtLocation(root, [...path]);
  if (rename !== undefined) {
    const name = found?.parent?.children?.[0];
    return name === undefined ? text : replaced(text, name.offset, name.length, JSON.stringify(rename));
  }
  if (to === undefined) return found === undefined ? text : remove(text, found);
  if (found !== undefined) return replaced(text, found.offset, found.length, written(text, to, found.offset));
  return insert(text, root, path, to);
}

const replaced = (text: string, offset: number, length: number, by: string): string =>
  text.slice(0, offset) + by + text.slice(offset + length);

/** A value as JSON, its inner lines indented as the line at `offset`. */
function written(text: string, value: unknown, offset: number): string {
  const json = JSON.stringify(value, null, indentUnit(text));
  return json.split('\n').join(`${eolOf(text)}${indentOf(text, offset)}`);
}

function insert(text: string, root: Node, path: Path, to: unknown): string {
  let depth = path.length - 1;
  while (depth > 0 && findNodeAtLocation(root, path.slice(0, depth)) === undefined) depth -= 1;
  const parent = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth));
  const value = path.slice(depth + 1).reduceRight((inner: unknown, name) => ({ [name]: inner }), to);
  const [name = ''] = path.slice(depth);
  if (parent === undefined) throw new UnreadableText();
  if (parent.type !== 'object') {
    return replaced(text, parent.offset, parent.length, written(text, { [name]: value }, parent.offset));
  }
  const last = parent.children?.at(-1);
  const property = (offset: number): string => `${JSON.stringify(name)}: ${written(text, value, offset)}`;
  if (last === undefined) {
    const outer = indentOf(text, parent.offset);
    const eol = eolOf(text);
    // The unit is the file's own; nested lines of the value follow the line they now stand on.
    const inner = outer + indentUnit(text);
    const own = `${JSON.stringify(name)}: ${JSON.stringify(value, null, indentUnit(text))
      .split('\n')
      .join(eol + inner)}`;
    const empty = text.slice(parent.offset + 1, parent.offset + parent.length - 1).trim() === '';
    return empty
      ? replaced(text, parent.offset, parent.length, `{${eol}${inner}${own}${eol}${outer}}`)
      : replaced(text, parent.offset + 1, 0, `${eol}${inner}${own}`);
  }
  const end = last.offset + last.length;
  const first = parent.children?.[0] ?? last;
  if (lineStart(text, first.offset) === lineStart(text, parent.offset)) {
    return replaced(text, end, 0, `, ${property(last.offset)}`);
  }
  const comma = tokenAfter(text, end);
  const trailing = comma.text === ',';
  // After the rest of the last field's line: a comment beside it belongs to that field.
  const at = restOfLine(text, trailing ? comma.offset + 1 : end);
  const line = `${eolOf(text)}${indentOf(text, last.offset)}${property(last.offset)}${trailing ? ',' : ''}`;
  return replaced(replaced(text, at, 0, line), end, 0, trailing ? '' : ',');
}

function remove(text: string, value: Node): string {
  const property = value.parent;
  const parent = property?.parent;
  if (property?.type !== 'property' || parent === undefined) return text;
  const siblings = parent.children ?? [];
  // Removes an object that held nothing else, unless it contains a comment.
  if (siblings.length === 1 && parent.parent !== undefined && !commentsIn(text, parent)) return remove(text, parent);
  const next = tokenAfter(text, property.offset + property.length);
  const end = next.text === ',' ? next.offset + 1 : property.offset + property.length;
  const cut = cutOut(text, property.offset, end);
  const previous = siblings[siblings.indexOf(property) - 1];
  if (next.text === ',' || previous === undefined) return cut;
  const comma = tokenAfter(text, previous.offset + previous.length);
  return comma.text === ',' ? replaced(cut, comma.offset, 1, '') : cut;
}

/** Without a piece, and without its line when nothing else stands on it. */
function cutOut(text: string, start: number, end: number): string {
  const [from, to] = [lineStart(text, start), lineEnd(text, end)];
  const [before, after] = [text.slice(from, start), text.slice(end, to)];
  if (before.trim() === '' && after.trim() === '' && from > 0) {
    const eol = text.startsWith('\r\n', from - 2) ? 2 : 1;
    return replaced(text, from - eol, to - from + eol, '');
  }
  const spaces = /^[ \t]*/.exec(after)?.[0].length ?? 0;
  return replaced(text, start, end + spaces - start, '');
}
