/** Fixes of a problem in an adapter file by one click. */
import { fieldsOf, schemasAt } from '../experiment/allowed.ts';
import type { Path } from '../experiment/text/jsonText.ts';
import { nearest } from '../experiment/problems/nearest.ts';
import { at, type JsonObject } from '../experiment/resolve.ts';
import type { JsonEdit } from '../experiment/text/textEdit.ts';
import { adapterJsonSchema } from './jsonSchema.ts';

/** `rename`: the name that was probably meant; `set`: the value that was; `remove`: a field that means nothing. */
export type AdapterFix = { edits: readonly JsonEdit[] } & (
  | { kind: 'rename'; to: string }
  | { kind: 'set'; field: string; to: string }
  | { kind: 'remove'; field: string }
);

/** Fixes of one problem of a file that says `written`, the likeliest first. @param field as problems name it */
export function adapterFixes(field: string, written: JsonObject): AdapterFix[] {
  const path = pathOf(field);
  const value = at(written, path);
  if (value === undefined) return [];
  const schema = adapterJsonSchema();
  const parent = path.slice(0, -1);
  const own = fieldsOf(schema, parent, at(written, [...parent, 'kind']));
  const name = path.at(-1);
  if (typeof name === 'string' && own.length > 0 && !own.includes(name)) {
    const free = own.filter((one) => at(written, [...parent, one]) === undefined);
    const to = nearest(name, free);
    return [
      ...(to === null ? [] : [{ kind: 'rename', to, edits: [{ path, rename: to }] } satisfies AdapterFix]),
      { kind: 'remove', field, edits: [{ path }] },
    ];
  }
  const choices = schemasAt(schema, path, written).flatMap(({ enum: some, const: one }) => [
    ...(some ?? []),
    ...(one === undefined ? [] : [one]),
  ]);
  const texts = choices.filter((choice) => typeof choice === 'string');
  const to = typeof value === 'string' && !texts.includes(value) ? nearest(value, texts) : null;
  return to === null ? [] : [{ kind: 'set', field, to, edits: [{ path, to }] }];
}

/** `task.prompt[0].role` as its names and indices. */
const pathOf = (field: string): Path =>
  Array.from(field.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([text, index]) => (index === undefined ? text : Number(index)));
