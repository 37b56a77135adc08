/** The kind of a field's value, read from the schema that checks it. */
import { schemasAt, type JsonSchema } from './allowed.ts';
import type { FieldPath } from './field.ts';
import { fields } from './fields.ts';
import { resolvedJsonSchema } from './jsonSchema.ts';

/** A number's limits, both included; null where there is none, or only one that it may not reach. */
interface Range {
  least: number | null;
  most: number | null;
}

export type FieldKind =
  | ({ kind: 'number'; whole: boolean; nullable: boolean; share: boolean } & Range)
  | { kind: 'text' | 'file'; nullable: boolean }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'flag' }
  /** An object that may be absent as a whole. */
  | { kind: 'section' }
  /** Entries of the same form, which are written in the text. */
  | { kind: 'list' };

const known = new Map<FieldPath, FieldKind>();

/** The kind of a field. */
export function kindOf(path: FieldPath): FieldKind {
  const kind = known.get(path) ?? read(path);
  known.set(path, kind);
  return kind;
}

function read(path: FieldPath): FieldKind {
  const parts = schemasAt(resolvedJsonSchema(), path.split('.'));
  const types = parts.flatMap(({ type }) => [type ?? []].flat().map(String));
  const choices = parts.flatMap((part) => part.enum ?? (part.const === undefined ? [] : [part.const]));
  const texts = choices.filter((choice) => typeof choice === 'string');
  const nullable = types.includes('null');
  if (texts.length > 0) return { kind: 'choice', choices: [...new Set(texts)] };
  if (types.includes('boolean')) return { kind: 'flag' };
  if (types.includes('array')) return { kind: 'list' };
  if (types.includes('object')) return { kind: 'section' };
  if (types.includes('string')) return { kind: fields[path].file === undefined ? 'text' : 'file', nullable };
  const whole = types.includes('integer');
  const range = rangeOf(parts, whole);
  const under = limit(parts.map(({ exclusiveMaximum }) => exclusiveMaximum));
  const share = !whole && range.least === 0 && (range.most ?? under ?? 2) <= 1;
  return { kind: 'number', whole, nullable, share, ...range };
}

/** The first limit that is a number; older schemas have flags in their places. */
const limit = (values: readonly unknown[]): number | null => values.find((value) => typeof value === 'number') ?? null;

function rangeOf(parts: readonly JsonSchema[], whole: boolean): Range {
  const over = limit(parts.map(({ exclusiveMinimum }) => exclusiveMinimum));
  const most = limit(parts.map(({ maximum }) => maximum));
  return {
    least: whole && over !== null ? over + 1 : limit(parts.map(({ minimum }) => minimum)),
    most: most === Number.MAX_SAFE_INTEGER ? null : most,
  };
}
