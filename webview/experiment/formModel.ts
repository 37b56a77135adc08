/** The form's content, derived from the file and from typed text that is not in it yet. Pure. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { isFieldPath } from '../../src/shared/experiment/fields.ts';
import type { PresetName } from '../../src/shared/experiment/presets.ts';
import { whyIdle, whyIrrelevant } from '../../src/shared/experiment/relevance.ts';
import { at, isObject, presetOf, startOf, withPreset, type JsonObject } from '../../src/shared/experiment/resolve.ts';
import { experimentSchema, type Experiment } from '../../src/shared/experiment/schema.ts';
import { pathOfField } from '../../src/shared/experiment/text/jsonText.ts';
import type { FieldEdit } from '../../src/shared/experiment/text/textEdit.ts';
import { defined } from '../../src/shared/defined.ts';
import type { FormProblem } from '../../src/features/experiment/contract.ts';
import { groups } from './groups.ts';

export interface FormModel {
  preset: PresetName;
  /** Null while a value does not fit its field. */
  experiment: Experiment | null;
  /** The same with the preset's values in place of those that do not fit. */
  drawn: Experiment;
  problems: readonly FormProblem[];
  /** The value in force: the file's, else the preset's. */
  value(path: FieldPath): unknown;
  presetValue(path: FieldPath): unknown;
  /** Whether the file itself says it. */
  written(path: FieldPath): boolean;
  differs(path: FieldPath): boolean;
  /** Of the field, and of places in it that are no field of their own. */
  problemsOf(path: FieldPath): readonly FormProblem[];
  /** Those that no row shows: of an unknown key, of another kind's field, of the whole file. */
  unplaced: readonly FormProblem[];
  /** False for a field that the chosen kind of endpoint does not have. */
  exists(path: FieldPath): boolean;
  /** Whether the field has no effect at all beside the other settings. */
  isIdle(path: FieldPath): boolean;
  /** Why the field has no say; null when it has. */
  irrelevant(path: FieldPath): string | null;
}

/** Fields that name an experiment rather than set it up: they differ always. */
const names: ReadonlySet<string> = new Set(['version', 'name', 'preset']);

/** Fields that have a row. */
const rows: ReadonlySet<FieldPath> = new Set(groups.flatMap(({ parts }) => parts.flatMap((part) => part.fields)));

/** The form's model. */
export function formModel(file: JsonObject, edits: readonly FieldEdit[], problems: readonly FormProblem[]): FormModel {
  const written = edits.reduce(applyEdit, file);
  const preset = presetOf(written);
  const start = startOf(written);
  const whole = withPreset(without(written, '$schema'));
  const experiment = experimentSchema.safeParse(whole).data ?? null;
  const drawn = experiment ?? withoutErrors(whole, start);
  const value = (path: FieldPath): unknown => at(whole, path.split('.'));
  const presetValue = (path: FieldPath): unknown => (path === 'method' ? 'genenv' : at(start, path.split('.')));
  const exists = (path: FieldPath): boolean =>
    !path.startsWith('endpoints.') || at(drawn, path.split('.')) !== undefined;
  const placed = Map.groupBy(problems, ({ field }) => {
    const path = fieldAround(field);
    return path !== null && rows.has(path) && exists(path) ? path : null;
  });
  return {
    preset,
    experiment,
    drawn,
    problems,
    value,
    presetValue,
    written: (path) => at(written, path.split('.')) !== undefined,
    differs: (path) => !names.has(path) && JSON.stringify(value(path)) !== JSON.stringify(presetValue(path)),
    problemsOf: (path) => placed.get(path) ?? [],
    unplaced: placed.get(null) ?? [],
    exists,
    isIdle: (path) => whyIdle(path, drawn) !== null,
    irrelevant: (path) => whyIrrelevant(path, drawn),
  };
}

/** The field that a place lies in: `curriculum.alphaPoints` of `curriculum.alphaPoints[0].epoch`; null for none. */
export function fieldAround(place: string): FieldPath | null {
  const parts = pathOfField(place);
  for (let length = parts.length; length > 0; length--) {
    const path = parts.slice(0, length).join('.');
    if (isFieldPath(path)) return path;
  }
  return null;
}

/** Invalid values are replaced by the preset's, so that the rest stays meaningful. */
function withoutErrors(whole: JsonObject, preset: Experiment): Experiment {
  let value = whole;
  // Every pass fixes the faults that the one before revealed.
  for (let pass = 0; pass < 4; pass++) {
    const { data, error } = experimentSchema.safeParse(value);
    if (data !== undefined) return data;
    for (const issue of error.issues) {
      const path = issue.path.map(String);
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) value = put(value, [...path, key], undefined);
      } else value = put(value, known(path, preset), at(preset, known(path, preset)));
    }
  }
  return preset;
}

/** The path, or the nearest section around it that the preset has. */
function known(path: readonly string[], preset: Experiment): readonly string[] {
  let length = path.length;
  while (length > 1 && at(preset, path.slice(0, length)) === undefined) length -= 1;
  return path.slice(0, length);
}

/** The object with a value at a path; without it where the value is undefined. */
function put(object: JsonObject, [head = '', ...rest]: readonly string[], value: unknown): JsonObject {
  const inner = object[head];
  if (rest.length > 0) return { ...object, [head]: put(isObject(inner) ? inner : {}, rest, value) };
  return value === undefined ? without(object, head) : { ...object, [head]: value };
}

/** An edit made on the value, as `editText` makes it on the text. */
export function applyEdit(file: JsonObject, { path, to }: FieldEdit): JsonObject {
  const [head = '', ...rest] = path;
  const inner = file[head];
  if (rest.length > 0) {
    const below = applyEdit(isObject(inner) ? inner : {}, { path: rest, ...defined({ to }) });
    if (to === undefined && Object.keys(below).length === 0) return without(file, head);
    return { ...file, [head]: below };
  }
  return to === undefined ? without(file, head) : { ...file, [head]: to };
}

const without = (file: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(file).filter(([key]) => key !== name));
