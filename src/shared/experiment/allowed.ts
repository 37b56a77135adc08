/**
 * A schema's allowed values at one field, in words: read from the same schema that checks, so that the two cannot
 * differ.
 */
import type * as z from 'zod';
import type { Path } from './text/jsonText.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const branches = ({ anyOf, oneOf }: JsonSchema): readonly unknown[] => anyOf ?? oneOf ?? [];

/** Every schema possible at a path: several where kinds of an endpoint differ. */
export function schemasAt(schema: JsonSchema, path: Path): JsonSchema[] {
  const options = branches(schema).filter(isSchema);
  if (options.length > 0) return options.flatMap((option) => schemasAt(option, path));
  const [head, ...rest] = path;
  if (head === undefined) return [schema];
  const { items } = schema;
  if (typeof head === 'number') return isSchema(items) && !Array.isArray(items) ? schemasAt(items, rest) : [];
  const { additionalProperties: others } = schema;
  const child = schema.properties?.[head] ?? (isSchema(others) && Object.keys(others).length > 0 ? others : null);
  return isSchema(child) ? schemasAt(child, rest) : [];
}

/** Names of the fields an object at this path may have. */
export function fieldsAt(schema: JsonSchema, path: Path): string[] {
  return [...new Set(schemasAt(schema, path).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The same for an object whose value is known: of the kinds that differ by their `kind`, the one it is. */
export function fieldsOf(schema: JsonSchema, path: Path, kind: unknown): string[] {
  const own = schemasAt(schema, path).filter(({ properties }) => {
    const discriminator = properties?.['kind'];
    return !isSchema(discriminator) || discriminator.const === undefined || discriminator.const === kind;
  });
  return own.length === 0
    ? fieldsAt(schema, path)
    : [...new Set(own.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** `a number greater than 0 and less than 1`; '' when the path names nothing. */
export function allowedAt(schema: JsonSchema, path: Path): string {
  const options = [...new Set(schemasAt(schema, path).map(described))];
  const choices = options.filter((option) => option.startsWith('"')).map((option) => option);
  const others = options.filter((option) => !option.startsWith('"'));
  return [...(choices.length > 0 ? [oneOf(choices)] : []), ...others].join(', or ');
}

const oneOf = (choices: readonly string[]): string =>
  choices.length === 1 ? (choices[0] ?? '') : `one of ${choices.join(', ')}`;

function described(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  const types = [schema.type ?? []].flat().map(String);
  return types.map((type) => typed(type, schema)).join(', or ');
}

function typed(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'number':
      return `a number${range(schema)}`;
    case 'integer':
      return `a whole number${range(schema)}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      // A pattern is unreadable; the field's description explains it.
      if (schema.pattern !== undefined) return schema.description ?? `a text like ${schema.pattern}`;
      if (schema.format === 'uri') return 'an address that begins with http:// or https://';
      return (schema.minLength ?? 0) > 0 ? 'a text that is not empty' : 'a text';
    case 'array':
      return (schema.minItems ?? 0) > 0 ? 'a list that is not empty' : 'a list';
    case 'object':
      return 'an object';
    default:
      return type;
  }
}

function range(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum: over, maximum, exclusiveMaximum: under } = schema;
  // Whole numbers have an inclusive least and most; the widest safe integer is no useful limit.
  const whole = schema.type === 'integer' && typeof over === 'number';
  const least = whole ? over + 1 : minimum;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const parts = [
    ...(least === undefined ? [] : [`at least ${least}`]),
    ...(over === undefined || whole ? [] : [`greater than ${over}`]),
    ...(under === undefined ? [] : [`less than ${under}`]),
    ...(most === undefined ? [] : [`at most ${most}`]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(' and ')}`;
}
