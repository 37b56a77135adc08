/** JSON with comments and trailing commas as a tree whose values know where they stand. */
import * as l10n from '@vscode/l10n';
import { createScanner, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { deepest, isTooDeep } from '../../json.ts';
import { inFileOrder, type Place, type Problem } from '../problems/problem.ts';

export type Path = readonly (string | number)[];

/** One parsed text. */
interface JsonText {
  value: unknown;
  /** Where the value of a path stands; where nothing does, the nearest enclosing thing that is there. */
  placeOf: (path: Path) => Place;
  /** Where a field's name stands. */
  placeOfName: (path: Path) => Place;
}

export type JsonReading = { ok: true; json: JsonText } | { ok: false; problems: Problem[] };

/** `curriculum.alpha`, `prompt[0].role`. */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    return name === '' ? part : `${name}.${part}`;
  }, '');
}

/** The path of such a name. */
export function pathOfField(name: string): (string | number)[] {
  return [...name.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, part, index]) => part ?? Number(index));
}

/** 1-based line and column of an offset. */
function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/**
 * Reads a JSON text. `firstLine` is added to the lines it reports, for one line of a JSONL file, and `unit` names the
 * kind of text. Repeated fields are errors: choosing one would be a guess.
 */
export function readJson(text: string, file: string, firstLine = 1, unit: 'file' | 'line' = 'file'): JsonReading {
  const deep = (): JsonReading => {
    const message =
      unit === 'file'
        ? l10n.t('The file cannot be read: it is nested more than {0} levels deep.', deepest)
        : l10n.t('The line cannot be read: it is nested more than {0} levels deep.', deepest);
    const remedy = l10n.t('Write fewer lists and objects inside one another.');
    const place = { file, line: firstLine, column: 1 };
    return { ok: false, problems: [{ ...place, field: '', message, remedy, severity: 'error' }] };
  };
  if (isTooDeep(text)) return deep();
  try {
    return readTree(text, file, firstLine, unit);
  } catch (error) {
    // A quote in a comment can hide brackets from the count.
    if (error instanceof RangeError) return deep();
    throw error;
  }
}

function readTree(text: string, file: string, firstLine: number, unit: 'file' | 'line'): JsonReading {
  const place = (offset: number): Place => {
    const { line, column } = positionAt(text, offset);
    return { file, line: line + firstLine - 1, column };
  };
  // A byte order mark is not part of the text; a space keeps the columns.
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text;
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true });
  if (body.trim() === '') {
    const message = l10n.t('The file is empty.');
    const remedy = l10n.t('Write a JSON object; `{}` takes every value from the preset.');
    return { ok: false, problems: [{ ...place(0), field: '', message, remedy, severity: 'error' }] };
  }
  if (root === undefined || errors.length > 0)
    return { ok: false, problems: syntaxProblems(body, errors, place, unit) };
  const twice = [...repeatedFields(root)].map(({ path, offset, first }): Problem => {
    const remedy = l10n.t('Keep one of the two; the other is in line {0}.', place(first).line);
    const message = l10n.t('The field "{0}" is given twice.', fieldName(path));
    return { ...place(offset), field: fieldName(path), message, remedy, severity: 'error' };
  });
  if (twice.length > 0) return { ok: false, problems: twice };
  const value: unknown = getNodeValue(root);
  const nodeAt = (path: Path): Node => {
    for (let length = path.length; length > 0; length--) {
      const node = findNodeAtLocation(root, path.slice(0, length));
      if (node !== undefined) return length === path.length ? node : (nameOf(node) ?? node);
    }
    return root;
  };
  return {
    ok: true,
    json: {
      value,
      placeOf: (path) => place(nodeAt(path).offset),
      placeOfName: (path) => {
        const node = nodeAt(path);
        return place((nameOf(node) ?? node).offset);
      },
    },
  };
}

/** The name of the field whose value this is. */
function nameOf(node: Node): Node | undefined {
  return node.parent?.type === 'property' ? node.parent.children?.[0] : undefined;
}

function* repeatedFields(node: Node, path: Path = []): Generator<{ path: Path; offset: number; first: number }> {
  const seen = new Map<string, number>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') {
      yield* repeatedFields(child, [...path, index]);
      continue;
    }
    const [name, value] = child.children ?? [];
    if (name === undefined) continue;
    const key = String(name.value);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, name.offset);
    else yield { path: [...path, key], offset: name.offset, first };
    if (value !== undefined) yield* repeatedFields(value, [...path, key]);
  }
}

/** Texts are made when they are shown, in the language that is set by then. */
const expectations: Record<string, () => string> = {
  PropertyNameExpected: () => l10n.t('a field name in double quotes was expected'),
  ValueExpected: () => l10n.t('a value was expected'),
  ColonExpected: () => l10n.t('a ":" was expected after the field name'),
  CommaExpected: () => l10n.t('a "," was expected'),
  CloseBraceExpected: () => l10n.t('a "}" was expected'),
  CloseBracketExpected: () => l10n.t('a "]" was expected'),
  EndOfFileExpected: () => l10n.t('nothing more was expected after the end of the object'),
};
const faults: Record<string, () => string> = {
  InvalidSymbol: () => l10n.t('is not a JSON value: write a text in double quotes, a number, true, false or null'),
  InvalidNumberFormat: () => l10n.t('is not a JSON number'),
  InvalidCommentToken: () => l10n.t('is not a comment that is allowed here'),
  UnexpectedEndOfComment: () => l10n.t('opens a comment that is never closed'),
  UnexpectedEndOfString: () => l10n.t('has no closing double quote'),
  UnexpectedEndOfNumber: () => l10n.t('is a number that breaks off'),
  InvalidUnicode: () => l10n.t('holds a \\u escape without four hexadecimal digits'),
  InvalidEscapeCharacter: () => l10n.t('holds a backslash escape that JSON does not have; write \\\\ for a backslash'),
  InvalidCharacter: () => l10n.t('holds a control character; write \\n for a line break and \\t for a tab'),
};

/** One problem a line: after the first, a parser that recovers mostly reports its own confusion. */
function syntaxProblems(
  text: string,
  errors: readonly ParseError[],
  place: (offset: number) => Place,
  unit: 'file' | 'line',
): Problem[] {
  const byLine = new Map<number, Problem>();
  for (const { error, offset, length } of errors) {
    const code = printParseErrorCode(error);
    const expected = expectations[code];
    const end = offset >= text.trimEnd().length;
    // A missing token is missing after the token before, not where the parser stumbled over the next one.
    const at =
      expected === undefined || code === 'EndOfFileExpected' ? offset : (endOfTokenBefore(text, offset) ?? offset);
    const found = end ? endOf(unit) : shown(text.slice(offset, offset + Math.max(1, length)));
    const message =
      expected === undefined
        ? l10n.t('Malformed JSON: {0} {1}.', found, faults[code]?.() ?? l10n.t('cannot be read'))
        : l10n.t('Malformed JSON: {0}, but there is {1}.', expected(), found);
    const where = place(at);
    const opened = end ? lastOpened(text) : null;
    const remedy =
      opened !== null
        ? l10n.t('Close the "{0}" that is opened in line {1}.', text.charAt(opened), place(opened).line)
        : found.startsWith("'")
          ? l10n.t('JSON has no single quotes: write double ones.')
          : '';
    if (!byLine.has(where.line)) {
      byLine.set(where.line, { ...where, field: '', message, remedy, severity: 'error' });
    }
  }
  return inFileOrder([...byLine.values()]);
}

const endOf = (unit: 'file' | 'line'): string =>
  unit === 'file' ? l10n.t('the end of the file') : l10n.t('the end of the line');

function shown(token: string): string {
  const line = token.split('\n', 1)[0] ?? '';
  return line.length > 30 ? `${line.slice(0, 30)}…` : line;
}

function endOfTokenBefore(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  let end: number | null = null;
  for (scanner.scan(); scanner.getTokenLength() > 0 && scanner.getTokenOffset() < offset; scanner.scan()) {
    end = scanner.getPosition();
  }
  return end;
}

/** Offset of the innermost bracket that is never closed. */
function lastOpened(text: string): number | null {
  const open: number[] = [];
  const scanner = createScanner(text, true);
  // By offsets: behind a comment that is never closed the scanner’s end has a length, again and again.
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const token = text.charAt(scanner.getTokenOffset());
    if (scanner.getTokenLength() !== 1) continue;
    if (token === '{' || token === '[') open.push(scanner.getTokenOffset());
    else if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1) ?? null;
}
