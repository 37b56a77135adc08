/** The variables that a mapping's sources see of one record. */
import * as l10n from '@vscode/l10n';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { at, type JsonObject } from '../../shared/experiment/resolve.ts';
import { rounded } from '../../shared/longInteger.ts';

/** Something of a record is not there, or not of the kind that its place in a task needs. */
export class RecordFault extends Error {
  readonly reason = 'record';
  /** The adapter's field that asked for it: `task.gold`; '' until the mapping says which. */
  readonly field: string;

  constructor(message: string, field = '') {
    super(message);
    this.name = 'RecordFault';
    this.field = field;
  }
}

/** Where a record stands. */
export interface RecordFile {
  /** Below the data's folder, with slashes; `folder` is '' at the top, `stem` the name without its last ending. */
  path: string;
  folder: string;
  name: string;
  stem: string;
  /** Its place among the records of its file, from 0. */
  index: number;
}

export const recordFile = (path: string, index: number): RecordFile => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  return { path, folder, name, stem: name.replace(/(?!^)\.[^.]*$/, ''), index };
};

/** `values`: record, file, split and what is joined. `texts`: the JSON of those that were read as JSON, as it stood. */
export interface Scope {
  values: JsonObject;
  texts: ReadonlyMap<string, string>;
}

/** The names and indices of a JSON pointer, unescaped (RFC 6901). */
export const pointerParts = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value that a pointer names; undefined where there is none. */
export const valueAt = (value: unknown, pointer: string): unknown => at(value, pointerParts(pointer));

/** @throws RecordFault where there is nothing */
function requireAt(scope: Scope, pointer: string): unknown {
  const value = valueAt(scope.values, pointer);
  if (value === undefined) throw new RecordFault(l10n.t('there is nothing at {0}', pointer));
  return value;
}

/** The same as plain JSON, long integers rounded: a task's fields are read again as such. @throws RecordFault */
export const plainAt = (scope: Scope, pointer: string): unknown => rounded(requireAt(scope, pointer));

/**
 * The value at a pointer as text: a text is itself, everything else the JSON that stands there, letter by letter, because a parsed
 * number does not say whether it was written 5 or 5.0. @throws RecordFault
 */
export function textAt(scope: Scope, pointer: string): string {
  const value = requireAt(scope, pointer);
  if (typeof value === 'string') return value;
  if (value === null) throw new RecordFault(l10n.t('there is null at {0}', pointer));
  const [root = '', ...rest] = pointerParts(pointer);
  const text = scope.texts.get(root);
  if (text === undefined) return JSON.stringify(value);
  const node = nodeAt(text, rest);
  return node === undefined ? JSON.stringify(value) : text.slice(node.offset, node.offset + node.length);
}

function nodeAt(text: string, parts: readonly string[]): ReturnType<typeof parseTree> {
  const root = parseTree(text);
  if (root === undefined) return undefined;
  // A pointer's parts are texts; those that go into a list are its indices.
  const path: (string | number)[] = [];
  for (const part of parts) {
    const node = findNodeAtLocation(root, path);
    path.push(node?.type === 'array' ? Number(part) : part);
  }
  const found = findNodeAtLocation(root, path);
  // Of a field that is given twice the parser's own value is the last one.
  return found !== undefined && JSON.stringify(getNodeValue(found)) === JSON.stringify(at(getNodeValue(root), path))
    ? found
    : undefined;
}
