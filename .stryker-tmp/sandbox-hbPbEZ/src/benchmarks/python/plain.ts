import { isObject } from '../../shared/experiment/resolve.ts';

const isNumber = (value: unknown): value is boolean | bigint | number =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';

/** `a == b` of Python for values that JSON.parse gave: by value and all the way down, 1 and True being equal. */
export function equalPlain(a: unknown, b: unknown): boolean {
  if (isNumber(a) && isNumber(b)) return Number(a) === Number(b);
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => equalPlain(item, b[i]));
  if (!isObject(a)) return a === b;
  if (!isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equalPlain(a[key], b[key]))
  );
}
