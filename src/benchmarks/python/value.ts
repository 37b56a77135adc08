/** Values as Python tells them apart: whole numbers of any size, and floats. */

/** A `bigint` is an int, a `number` a float. */
export type PythonValue = null | boolean | bigint | number | string | PythonValue[] | Map<string, PythonValue>;

const isNumber = (value: PythonValue): value is boolean | bigint | number =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';

/** `a == b`: by value and all the way down; 1, 1.0 and True are equal, an int and a float only if exactly so. */
export function equal(a: PythonValue, b: PythonValue): boolean {
  if (isNumber(a) && isNumber(b)) return sameNumber(a, b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameOrEqual(item, b[i] ?? null));
  }
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    for (const [key, value] of a) {
      const other = b.get(key);
      if (other === undefined || !sameOrEqual(value, other)) return false;
    }
    return true;
  }
  return a === b;
}

/** Members are compared by identity first, and Python's `json` has one NaN for all that it reads. */
const sameOrEqual = (a: PythonValue, b: PythonValue): boolean => (Number.isNaN(a) && Number.isNaN(b)) || equal(a, b);

function sameNumber(a: boolean | bigint | number, b: boolean | bigint | number): boolean {
  const [left, right] = [typeof a === 'boolean' ? BigInt(a) : a, typeof b === 'boolean' ? BigInt(b) : b];
  // Loose equality compares a bigint and a number by their exact values, which is what Python does.
  return left == right;
}

/** As JSON.parse would give it. @param whole what becomes of whole numbers: rounded, as far as a double holds them */
export function plainValue(value: PythonValue, whole: (value: bigint) => unknown = Number): unknown {
  if (typeof value === 'bigint') return whole(value);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, whole));
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value, ([key, item]) => [key, plainValue(item, whole)]));
}
