/** Files and directories as objects that several places may share. */
import { binary } from '../../python/arithmetic.ts';
import { PythonFault } from '../../python/fault.ts';
import { str } from '../../python/text/repr.ts';
import { Dict, equal, isIn, kindOf, Tuple, type Value } from '../../python/value.ts';
import type { LongContext } from './longContext.ts';

export class File {
  readonly name: string;
  content: Value;

  constructor(name: string, content: Value) {
    this.name = name;
    this.content = content;
  }
}

/** Python gives up at about a thousand: a directory copied into itself has no end. */
const deepest = 300;

export class Directory {
  readonly name: string;
  /** Where it was made: a directory that is moved leaves its contents with their old parent. */
  readonly parent: Directory | null;
  contents = new Map<string, File | Directory>();

  constructor(name: string, parent: Directory | null) {
    this.name = name;
    this.parent = parent;
  }

  /** Names from the root to here. */
  path(): string[] {
    return [...(this.parent?.path() ?? []), this.name];
  }

  /** A new file or directory like this one: a file's text, a directory's contents or (`copies`) a list of the same. */
  add(name: string, like: File | Directory, copies: boolean): void {
    if (this.contents.has(name)) {
      const kind = like instanceof File ? 'File' : 'Directory';
      throw new PythonFault('value', `${kind} '${name}' already exists in directory '${this.name}'.`);
    }
    if (like instanceof File) {
      this.contents.set(name, new File(name, like.content));
      return;
    }
    const made = new Directory(name, this);
    this.contents.set(name, made);
    made.contents = copies ? new Map(like.contents) : like.contents;
  }

  /** The value that decides equality. @throws PythonFault when it has no end */
  asValue(depth = 0): Value {
    if (depth > deepest) throw new PythonFault('value', 'maximum recursion depth exceeded in comparison');
    const contents = Array.from(this.contents, ([name, item]): [string, Value] => [
      name,
      item instanceof File ? new Tuple(['file', item.name, item.content]) : item.asValue(depth + 1),
    ]);
    return new Tuple(['directory', this.name, Dict.of(contents)]);
  }

  /** Of all files in UTF-8. @throws PythonFault when it has no end */
  bytes(depth = 0): number {
    if (depth > deepest) throw new PythonFault('value', 'maximum recursion depth exceeded');
    return Array.from(this.contents.values()).reduce(
      (total, item) => total + (item instanceof File ? bytesOf(item.content) : item.bytes(depth + 1)),
      0,
    );
  }
}

export const sameDirectories = (a: Directory, b: Directory): boolean => a === b || equal(a.asValue(), b.asValue());

function bytesOf(content: Value): number {
  if (typeof content === 'string') return new TextEncoder().encode(content).length;
  throw new PythonFault('value', `'${kindOf(content)}' object has no attribute 'encode'`);
}

/** @param root `{NAME: {contents}}`, or nothing for an empty root. @throws PythonFault */
export function treeOf(root: Value | undefined, longContext: LongContext | null): Directory {
  if (root === undefined) return new Directory('/', null);
  const [name, described] = root instanceof Dict ? (Array.from(root)[0] ?? []) : [];
  if (typeof name !== 'string' || !(described instanceof Dict))
    throw new PythonFault('value', 'the root is no directory');
  return filled(new Directory(name, null), described.get('contents'), longContext);
}

function filled(directory: Directory, contents: Value | undefined, longContext: LongContext | null): Directory {
  if (!(contents instanceof Dict)) throw new PythonFault('value', `'${directory.name}' has no contents`);
  let isInnermost = true;
  for (const [name, described] of contents) {
    if (typeof name !== 'string' || !(described instanceof Dict)) throw new PythonFault('value', 'not a file');
    const type = described.get('type');
    if (type === 'directory') {
      isInnermost = false;
      const inner = filled(new Directory(name, directory), described.get('contents'), longContext);
      directory.contents.set(name, inner);
    } else if (type === 'file') {
      const content = described.get('content') ?? '';
      const isLong = longContext !== null && !isIn(name, [...longContext.filesKeptShort]);
      directory.contents.set(name, new File(name, isLong ? binary('+', content, longContext.fileContent) : content));
    }
  }
  if (isInnermost) for (const name of longContext?.moreFiles ?? []) directory.add(str(name), new File('', ''), false);
  return directory;
}
