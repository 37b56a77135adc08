/** Values as Python tells them apart. A `bigint` is an int, a `number` a float, an array a list. */
import type { PythonValue } from '../../python/value.ts';
import { PythonFault } from './fault.ts';

export type Value = null | boolean | bigint | number | string | Value[] | Tuple | Dict | Bytes | Complex | Ellipsis;

/** The kinds that `type(value)` has. */
export type Kind =
  | 'none'
  | 'bool'
  | 'int'
  | 'float'
  | 'str'
  | 'list'
  | 'tuple'
  | 'dict'
  | 'bytes'
  | 'complex'
  | 'ellipsis';

export class Tuple {
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

export class Bytes {
  /** One character a byte. */
  readonly latin1: string;

  constructor(latin1: string) {
    this.latin1 = latin1;
  }
}

/** `...`, of which there is one. */
export class Ellipsis {
  readonly kind = 'ellipsis';
}

export class Complex {
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A dict: in the order of first insertion, keys of any hashable kind; 1, 1.0 and True are one key. */
export class Dict {
  /** By the key itself while all keys are texts, as nearly always; else by its hash. */
  #entries = new Map<string, [Value, Value]>();
  #isHashed = false;

  static of(entries: Iterable<readonly [Value, Value]>): Dict {
    const dict = new Dict();
    for (const [key, value] of entries) dict.set(key, value);
    return dict;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Value): boolean {
    return this.#entry(key) !== undefined;
  }

  /** Undefined when there is no such key. */
  get(key: Value): Value | undefined {
    return this.#entry(key)?.[1];
  }

  /** An equal key that is there already stays as it is. @throws PythonFault when the key is not hashable */
  set(key: Value, value: Value): void {
    const entry = this.#entry(key);
    if (entry !== undefined) entry[1] = value;
    else {
      if (typeof key !== 'string') this.#hashAll();
      this.#entries.set(this.#place(key), [key, value]);
    }
  }

  delete(key: Value): void {
    if (this.#entry(key) !== undefined) this.#entries.delete(this.#place(key));
  }

  keys(): Value[] {
    return Array.from(this.#entries.values(), ([key]) => key);
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ([, value]) => value);
  }

  [Symbol.iterator](): IterableIterator<[Value, Value]> {
    return this.#entries.values();
  }

  #entry(key: Value): [Value, Value] | undefined {
    if (typeof key === 'string' && !this.#isHashed) return this.#entries.get(key);
    const hashed = hash(key);
    return this.#isHashed ? this.#entries.get(hashed) : undefined;
  }

  #place(key: Value): string {
    return typeof key === 'string' && !this.#isHashed ? key : hash(key);
  }

  #hashAll(): void {
    if (this.#isHashed) return;
    this.#isHashed = true;
    this.#entries = new Map(Array.from(this.#entries, ([key, entry]) => [hash(key), entry]));
  }
}

/** Equal for keys that Python finds equal, different for all others. @throws PythonFault for what has no hash */
function hash(value: Value): string {
  if (typeof value === 'string') return `s${value}`;
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'n1' : 'n0';
  if (typeof value === 'bigint') return `n${value}`;
  if (typeof value === 'number') return Number.isInteger(value) ? `n${BigInt(value)}` : `n${value}`;
  if (value instanceof Complex) {
    return value.imaginary === 0 ? hash(value.real) : `c${value.real} ${value.imaginary}`;
  }
  if (value instanceof Bytes) return `b${value.latin1}`;
  if (value instanceof Ellipsis) return value.kind;
  if (value instanceof Tuple) {
    return `t${value.items.map((item) => hash(item)).reduce((all, part) => `${all}${part.length}:${part}`, '')}`;
  }
  throw new PythonFault('type', `unhashable type: '${kindOf(value)}'`);
}

export function kindOf(value: Value): Kind {
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    default:
      return kindOfObject(value);
  }
}

function kindOfObject(value: Extract<Value, object | null>): Kind {
  if (value === null) return 'none';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Dict) return 'dict';
  if (value instanceof Tuple) return 'tuple';
  if (value instanceof Ellipsis) return value.kind;
  return value instanceof Bytes ? 'bytes' : 'complex';
}

/** `a == b`: by value and all the way down; 1, 1.0 and True are equal, an int and a float only if exactly so. */
export function equal(a: Value, b: Value): boolean {
  if (typeof a === 'string' || a === null) return a === b;
  if (isReal(a)) return isReal(b) ? sameReal(a, b) : b instanceof Complex && b.imaginary === 0 && sameReal(a, b.real);
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  if (a instanceof Tuple) return b instanceof Tuple && sameItems(a.items, b.items);
  if (a instanceof Dict) return b instanceof Dict && sameEntries(a, b);
  if (a instanceof Ellipsis) return b instanceof Ellipsis;
  if (a instanceof Bytes) return b instanceof Bytes && a.latin1 === b.latin1;
  if (b instanceof Complex) return a.real === b.real && a.imaginary === b.imaginary;
  return a.imaginary === 0 && isReal(b) && sameReal(a.real, b);
}

/** `value in list`. */
export const isIn = (value: Value, list: readonly Value[]): boolean => list.some((item) => equal(value, item));

const isReal = (value: Value): value is boolean | bigint | number =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';

function sameReal(a: boolean | bigint | number, b: boolean | bigint | number): boolean {
  const [left, right] = [typeof a === 'boolean' ? BigInt(a) : a, typeof b === 'boolean' ? BigInt(b) : b];
  // Loose equality compares a bigint and a number by their exact values, which is what Python does.
  return left == right;
}

/** Equality of lists. */
export const sameItems = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((item, at) => equal(item, b[at] ?? null));

function sameEntries(a: Dict, b: Dict): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !equal(value, other)) return false;
  }
  return true;
}

export function fromJson(value: PythonValue): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(fromJson);
  const dict = new Dict();
  for (const [key, item] of value) dict.set(key, fromJson(item));
  return dict;
}
