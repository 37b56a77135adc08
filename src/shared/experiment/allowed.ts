/**
 * A schema's allowed values at one field, in words: read from the same schema that checks, so that the two cannot
 * differ.
 */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import type { Path } from './text/jsonText.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const branches = ({ anyOf, oneOf }: JsonSchema): readonly unknown[] => anyOf ?? oneOf ?? [];

/**
 * Every schema possible at a path: several where kinds of an endpoint differ.
 * @param value of the whole, where it is known: of the kinds that differ by their `kind`, the chosen one alone is possible
 */
export function schemasAt(schema: JsonSchema, path: Path, value?: unknown): JsonSchema[] {
  const options = branches(schema).filter(isSchema);
  if (options.length > 0) return chosen(options, value).flatMap((option) => schemasAt(option, path, value));
  const [head, ...rest] = path;
  if (head === undefined) return [schema];
  const { items } = schema;
  if (typeof head === 'number')
    return isSchema(items) && !Array.isArray(items) ? schemasAt(items, rest, inside(value, head)) : [];
  const { additionalProperties: others } = schema;
  const child = schema.properties?.[head] ?? (isSchema(others) && Object.keys(others).length > 0 ? others : null);
  return isSchema(child) ? schemasAt(child, rest, inside(value, head)) : [];
}

/** `at` of `resolve.ts` would bring all presets into every page with a form. */
const inside = (value: unknown, name: string | number): unknown =>
  isSchema(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;

/** All of them where the value has no `kind`, or none that is known. */
function chosen(options: readonly JsonSchema[], value: unknown): readonly JsonSchema[] {
  const kind = inside(value, 'kind');
  const own = options.filter((option) => isSchema(option.properties?.['kind']) && isOf(option, kind));
  return own.length === 0 ? options : own;
}

/** Whether an object of this kind may have the schema. */
function isOf({ properties }: JsonSchema, kind: unknown): boolean {
  const discriminator = properties?.['kind'];
  return !isSchema(discriminator) || discriminator.const === undefined || discriminator.const === kind;
}

/** Names of the fields an object at this path may have. */
export function fieldsAt(schema: JsonSchema, path: Path): string[] {
  return [...new Set(schemasAt(schema, path).flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** The same for an object whose value is known: of the kinds that differ by their `kind`, the one it is. */
export function fieldsOf(schema: JsonSchema, path: Path, kind: unknown): string[] {
  const own = schemasAt(schema, path).filter((one) => isOf(one, kind));
  return own.length === 0
    ? fieldsAt(schema, path)
    : [...new Set(own.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** `a number greater than 0 and less than 1`; '' when the path names nothing. @param value as in `schemasAt` */
export function allowedAt(schema: JsonSchema, path: Path, value?: unknown): string {
  const options = [...new Set(schemasAt(schema, path, value).map(described))];
  const choices = options.filter((option) => option.startsWith('"')).map((option) => option);
  const others = options.filter((option) => !option.startsWith('"'));
  return alternatives([...(choices.length > 0 ? [oneOf(choices)] : []), ...others]);
}

const oneOf = (choices: readonly string[]): string =>
  choices.length === 1 ? (choices[0] ?? '') : l10n.t('one of {0}', choices.join(', '));

function described(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return oneOf(schema.enum.map((value) => JSON.stringify(value)));
  const types = [schema.type ?? []].flat().map(String);
  return alternatives(types.map((type) => typed(type, schema)));
}

/** Whether a field may hold a number of any kind. */
export const takesNumber = (schema: JsonSchema, path: Path, value?: unknown): boolean =>
  schemasAt(schema, path, value).some(({ type }) =>
    [type ?? []].flat().some((one) => one === 'number' || one === 'integer'),
  );

const alternatives = ([first = '', ...more]: readonly string[]): string =>
  more.reduce((told, one) => l10n.t('{0}, or {1}', told, one), first);

function typed(type: string, schema: JsonSchema): string {
  switch (type) {
    case 'number':
      return l10n.t('a number{0}', range(schema));
    case 'integer':
      return l10n.t('a whole number{0}', range(schema));
    case 'boolean':
      return l10n.t('true or false');
    case 'string':
      // A pattern is unreadable; the field's description explains it.
      if (schema.pattern !== undefined)
        return schema.description?.replace(/\.$/, '') ?? l10n.t('a text like {0}', schema.pattern);
      if (schema.format === 'uri') return l10n.t('an address that begins with http:// or https://');
      return (schema.minLength ?? 0) > 0 ? l10n.t('a text that is not empty') : l10n.t('a text');
    case 'array':
      return (schema.minItems ?? 0) > 0 ? l10n.t('a list that is not empty') : l10n.t('a list');
    case 'object':
      return l10n.t('an object');
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
  if (least !== undefined && most !== undefined) return l10n.t(' from {0} to {1}', least, most);
  const parts = [
    ...(least === undefined ? [] : [l10n.t('at least {0}', least)]),
    ...(over === undefined || whole ? [] : [l10n.t('greater than {0}', over)]),
    ...(under === undefined ? [] : [l10n.t('less than {0}', under)]),
    ...(most === undefined ? [] : [l10n.t('at most {0}', most)]),
  ];
  return parts.length === 0 ? '' : ` ${parts.join(l10n.t(' and '))}`;
}
