/** Values of a parquet file as the JSON that tells them whole: a number has the digits of its column. */
import type { FileMetaData, SchemaTree } from 'hyparquet';
import { isObject } from '../../shared/experiment/resolve.ts';
import { utf8Text } from '../../shared/text/utf8.ts';

/** The file's schema with decimals as the integers and bytes they are stored in: the decoder makes doubles of them. */
export const withoutDecimals = (metadata: FileMetaData): FileMetaData => ({
  ...metadata,
  schema: metadata.schema.map((element) => {
    if (element.converted_type !== 'DECIMAL') return element;
    const { converted_type: _type, logical_type: _logical, ...stored } = element;
    return stored;
  }),
});

/** A day has no time of its own. */
const midnight = 'T00:00:00.000Z';

/**
 * A value for `JSON.stringify`: days and times as ISO 8601; null for absent values, and for bytes that are no text.
 * @param node its place in the file's own schema; undefined within a column of JSON
 */
export function jsonOf(value: unknown, node: SchemaTree | undefined): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) {
    const item = itemOf(node);
    return value.map((one: unknown) => jsonOf(one, item));
  }
  const { element } = node ?? {};
  if (element?.converted_type === 'DECIMAL') return decimal(value, element.scale ?? 0);
  if (typeof value === 'bigint') return JSON.rawJSON(String(value));
  if (typeof value === 'number' && element?.type === 'FLOAT') return shortest(value, Math.fround);
  if (typeof value === 'number' && element?.logical_type?.type === 'FLOAT16')
    return Number.isInteger(value) ? value : shortest(value, halfOf);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString().replace(midnight, '');
  if (value instanceof Uint8Array) return textOf(value);
  if (!isObject(value)) return value;
  const [map] = node?.element.converted_type === 'MAP' ? node.children : [];
  const childOf = (name: string): SchemaTree | undefined =>
    map === undefined
      ? node?.children.find((child) => child.element.name === name)
      : map.children.find((child) => child.element.name === 'value');
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonOf(inner, childOf(name))]));
}

/** The place of a list's items: lists stand around a repeated group, and that around one item. */
function itemOf(node: SchemaTree | undefined): SchemaTree | undefined {
  if (node?.element.converted_type !== 'LIST') return node;
  const [group] = node.children;
  return group?.children.length === 1 ? group.children[0] : group;
}

/** @param stored the number without its point: an integer, or its bytes in two's complement, the highest first */
function decimal(stored: unknown, scale: number): object | null {
  const unscaled =
    typeof stored === 'number' || typeof stored === 'bigint'
      ? BigInt(stored)
      : stored instanceof Uint8Array && stored.length > 0
        ? BigInt.asIntN(8 * stored.length, BigInt(`0x${Buffer.from(stored).toString('hex')}`))
        : null;
  if (unscaled === null) return null;
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const text = scale > 0 ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  return JSON.rawJSON(unscaled < 0n ? `-${text}` : text);
}

/** Digits that tell every number of 32 bits from all others. */
const mostDigits = 9;

/** The number of 16 bits next to a number: 11 digits of a mantissa in base 2, fewer below 2⁻¹⁴ (IEEE 754 binary16). */
function halfOf(value: number): number {
  const step = 2 ** (Math.max(Math.floor(Math.log2(Math.abs(value))), -14) - 10);
  return Math.round(value / step) * step;
}

/**
 * The number with the fewest digits that the column's bits hold as this one: 0.1 is stored as 0.10000000149011612 in 32 bits.
 * @param stored the number of so many bits next to a number
 */
function shortest(value: number, stored: (near: number) => number): number {
  for (let digits = 1; digits < mostDigits; digits += 1) {
    const near = Number(value.toPrecision(digits));
    if (stored(near) === value) return near;
  }
  return value;
}

/** Of columns that say that they hold text or JSON: the decoder would give replacement characters. @throws NotUtf8 */
export const strictParsers = {
  stringFromBytes: (bytes?: Uint8Array): string | undefined => bytes && utf8Text(bytes),
  jsonFromBytes: (bytes?: Uint8Array): unknown => bytes && JSON.parse(utf8Text(bytes)),
};

const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
