/** Fixes of a problem by one click. */
import { fieldsOf, schemasAt } from '../allowed.ts';
import { isPlaceholder } from '../contradictions/placeholder.ts';
import { endpointDefaults } from '../endpoints/endpoint.ts';
import { isFieldPath } from '../fields.ts';
import { resolvedJsonSchema } from '../jsonSchema.ts';
import { isKeyField, meantReferences } from '../endpoints/keyField.ts';
import { kindOf } from '../kind.ts';
import { nearest } from './nearest.ts';
import type { Problem } from './problem.ts';
import { at, startOf, withPreset, type JsonObject } from '../resolve.ts';
import type { FieldEdit } from '../text/textEdit.ts';

/**
 * `rename`: the name that was probably meant; `set`: the value that was; `preset`: leave the field out, so that the
 * preset's value counts; `remove`: leave out a field that means nothing.
 */
export type Fix = { edits: readonly FieldEdit[] } & (
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'set'; field: string; to: string | number }
  | { kind: 'preset'; field: string; to: string }
  | { kind: 'remove'; field: string }
);

/** Fixes of one problem of a file that says `written`, the likeliest first. */
export function fixesFor({ field }: Pick<Problem, 'field'>, written: JsonObject): Fix[] {
  const path = field.split('.');
  const value = at(written, path);
  if (field === '' || value === undefined) return [];
  const schema = resolvedJsonSchema();
  if (schemasAt(schema, path).length === 0 || !fieldsHere(path.slice(0, -1), written).includes(path.at(-1) ?? ''))
    return unknownField(path, written);
  return [...meant(field, path, value), ...fromPreset(field, path, value, written)];
}

/** Names of the fields of the object at this path, by its kind. */
const fieldsHere = (path: readonly string[], written: JsonObject): string[] =>
  fieldsOf(resolvedJsonSchema(), path, at(withPreset(written), [...path, 'kind']));

function unknownField(path: readonly string[], written: JsonObject): Fix[] {
  const parent = path.slice(0, -1);
  const from = path.at(-1) ?? '';
  const free = fieldsHere(parent, written).filter((name) => at(written, [...parent, name]) === undefined);
  const to = nearest(from, free);
  return [
    ...(to === null ? [] : [{ kind: 'rename', from, to, edits: [{ path, rename: to }] } satisfies Fix]),
    { kind: 'remove', field: path.join('.'), edits: [{ path }] },
  ];
}

function meant(field: string, path: readonly string[], value: unknown): Fix[] {
  if (typeof value !== 'string' || !isFieldPath(field)) return [];
  const set = (to: string | number): Fix => ({ kind: 'set', field, to, edits: [{ path, to }] });
  if (path.at(-1) === 'url' && isPlaceholder(value)) return [set(endpointDefaults.tinker.url)];
  if (isKeyField(field)) return meantReferences(value).map(set);
  const kind = kindOf(field);
  if (kind.kind === 'choice') {
    const near = nearest(value, kind.choices);
    return near === null || near === value ? [] : [set(near)];
  }
  const number = Number(value);
  return kind.kind === 'number' && value.trim() !== '' && Number.isFinite(number) ? [set(number)] : [];
}

function fromPreset(field: string, path: readonly string[], value: unknown, written: JsonObject): Fix[] {
  const preset = at(startOf(written), path);
  if (preset === undefined || JSON.stringify(preset) === JSON.stringify(value)) return [];
  // A preset has no useful value for fields that every file sets for itself.
  if (field === 'name' || field === 'preset' || field === 'version') return [];
  const to = typeof preset === 'object' && preset !== null ? '{…}' : JSON.stringify(preset);
  return [{ kind: 'preset', field, to, edits: [{ path }] }];
}
