/**
 * Parquet columns of a row's schema. One zod schema is everything a row format needs: its JSON form, its types and its
 * columns. Supported: objects (structs), arrays (three-level lists), strings, enums and literals of text, numbers
 * (DOUBLE), integers (INT64), booleans, and `nullable` of each.
 */
import type { SchemaElement } from 'hyparquet';
import * as z from 'zod';

/** The file's schema, depth first, its root included. @throws TypeError for an unsupported type */
export function parquetColumns(row: z.ZodObject): SchemaElement[] {
  const fields = Object.entries(row.shape);
  return [{ name: 'root', num_children: fields.length }, ...fields.flatMap(([name, type]) => column(name, type))];
}

function column(name: string, type: unknown, nullable = false): SchemaElement[] {
  const base = { name, repetition_type: nullable ? ('OPTIONAL' as const) : ('REQUIRED' as const) };
  if (type instanceof z.ZodNullable) return column(name, type.unwrap(), true);
  if (type instanceof z.ZodObject) {
    const fields = Object.entries(type.shape);
    return [{ ...base, num_children: fields.length }, ...fields.flatMap(([field, inner]) => column(field, inner))];
  }
  if (type instanceof z.ZodArray) {
    return [
      { ...base, converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...column('element', type.element),
    ];
  }
  if (isText(type)) return [{ ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' }];
  if (type instanceof z.ZodNumber) return [{ ...base, type: isInteger(type) ? 'INT64' : 'DOUBLE' }];
  if (type instanceof z.ZodBoolean) return [{ ...base, type: 'BOOLEAN' }];
  throw new TypeError(`The field "${name}" has no parquet column: give it a type of parquetColumns.`);
}

const isText = (type: unknown): boolean =>
  type instanceof z.ZodString ||
  type instanceof z.ZodEnum ||
  (type instanceof z.ZodLiteral && [...type.values].every((value) => typeof value === 'string'));

/** `z.int()`, which keeps to the integers that a number can hold. */
const isInteger = (type: unknown): boolean => type instanceof z.ZodNumberFormat && type.format === 'safeint';

/** Converts a value of this type for the writer, integers to bigint; null where the writer takes values unchanged. */
export function parquetValue(type: unknown): ((value: unknown) => unknown) | null {
  if (isInteger(type)) return integer;
  if (type instanceof z.ZodNullable) {
    const inner = parquetValue(type.unwrap());
    return inner === null ? null : (value) => (value === null ? null : inner(value));
  }
  if (type instanceof z.ZodArray) {
    const inner = parquetValue(type.element);
    return inner === null ? null : (value) => (Array.isArray(value) ? value.map(inner) : value);
  }
  if (!(type instanceof z.ZodObject)) return null;
  const fields = Object.entries(type.shape).map(([name, field]) => [name, parquetValue(field)] as const);
  if (fields.every(([, inner]) => inner === null)) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const given = new Map(Object.entries(value));
    return Object.fromEntries(fields.map(([name, inner]) => [name, inner?.(given.get(name)) ?? given.get(name)]));
  };
}

const integer = (value: unknown): unknown => (typeof value === 'number' ? BigInt(value) : value);
