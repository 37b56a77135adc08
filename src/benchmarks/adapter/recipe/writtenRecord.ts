/** The environment's text as a record of an adapter: its fields, and what the sources of the task see of them. */
import * as l10n from '@vscode/l10n';
import type { RecipeField, RecipeForm } from '../../../shared/adapters/recipe.ts';
import { wholeNumber } from '../../../shared/longInteger.ts';
import { jsonText } from '../../python/json.ts';
import { plainValue, type PythonValue } from '../../python/value.ts';
import { writtenObject } from '../../recipes/written.ts';
import { TaskFault } from '../../taskFault.ts';
import { pointerParts, recordFile, type Scope } from '../scope.ts';

/** The written values, by the names of the form's fields; an omitted field is absent. */
export type WrittenFields = ReadonlyMap<string, PythonValue>;

/** @throws TaskFault `unparseable`, `schema` naming the field */
export function writtenFields(text: string, form: RecipeForm): WrittenFields {
  const read = form.kind === 'json' ? jsonValues(text) : sectionValues(text, form);
  const fields = new Map<string, PythonValue>();
  for (const [name, { kind, optional }] of Object.entries(form.fields)) {
    const value = read(name, kind);
    if (value !== null) fields.set(name, value);
    else if (optional !== true) throw new TaskFault('schema', l10n.t('“{0}” is missing', name));
  }
  return fields;
}

/** A field's value, null where there is none. @throws TaskFault `schema` */
type Values = (name: string, kind: RecipeField['kind']) => PythonValue;

function jsonValues(text: string): Values {
  const object = writtenObject(text);
  return (name, kind) => {
    const value = object.get(name) ?? null;
    return value === null ? null : ofJson(value, kind, name);
  };
}

function sectionValues(text: string, form: RecipeForm): Values {
  const sections = sectionsOf(text, form);
  return (name, kind) => {
    const section = sections.get(name);
    return section === undefined ? null : ofText(section, kind, name);
  };
}

/** The fields where the task's sources look for them. */
export function scopeOf(fields: WrittenFields, form: RecipeForm): Scope {
  const roots = new Map<string, PythonValue>([['record', new Map()]]);
  for (const [name, value] of fields) place(roots, placeOf(name, form.fields[name]), value);
  const texts = new Map(Array.from(roots, ([root, value]) => [root, jsonText(value)]));
  const values = Object.fromEntries(Array.from(roots, ([root, value]) => [root, plainValue(value, wholeNumber)]));
  return { values: { file: recordFile('', 0), split: '', ...values }, texts };
}

/** Names on the way to a field: `record`, `question`. */
export const placeOf = (name: string, field: Pick<RecipeField, 'at'> | undefined): string[] =>
  field?.at === undefined ? ['record', name] : pointerParts(field.at);

/** The label that begins a section. */
export const labelOf = (name: string, { label = `${name}:` }: Pick<RecipeField, 'label'>): string => label;

function place(into: Map<string, PythonValue>, path: readonly string[], value: PythonValue): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) {
    into.set(first, value);
    return;
  }
  const known = into.get(first);
  const inner = known instanceof Map ? known : new Map<string, PythonValue>();
  into.set(first, inner);
  place(inner, rest, value);
}

/** Lines that begin with a label begin a section, whatever marks stand around it; what stands before the first is no part. */
function sectionsOf(text: string, { fields }: RecipeForm): Map<string, string> {
  const labels = Object.entries(fields)
    .map(([name, field]) => ({ name, label: labelOf(name, field).toLowerCase() }))
    .sort((a, b) => b.label.length - a.label.length);
  const sections = new Map<string, string[]>();
  let lines: string[] | null = null;
  for (const line of text.split('\n')) {
    const bare = line.replace(/^[\s#*_>]+/, '');
    const begun = labels.find(({ label }) => bare.toLowerCase().startsWith(label));
    if (begun === undefined) lines?.push(line);
    else {
      if (sections.has(begun.name)) throw new TaskFault('schema', l10n.t('“{0}” stands there twice', begun.name));
      lines = [bare.slice(begun.label.length).replace(/^[*_]+/, '')];
      sections.set(begun.name, lines);
    }
  }
  if (sections.size === 0) throw new TaskFault('unparseable', l10n.t('there is no labelled section in the text'));
  return new Map(
    Array.from(sections, ([name, own]): [string, string] => [name, own.join('\n').trim()]).filter(
      ([, own]) => own !== '',
    ),
  );
}

function ofJson(value: PythonValue, kind: RecipeField['kind'], name: string): PythonValue {
  switch (kind) {
    case 'text': {
      // A number keeps the letters that it was written with.
      const text = typeof value === 'bigint' || typeof value === 'number' ? jsonText(value) : value;
      if (typeof text === 'string' && text.trim() !== '') return text.trim();
      throw new TaskFault('schema', l10n.t('“{0}” is no text', name));
    }
    case 'number':
      if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return value;
      throw new TaskFault('schema', l10n.t('“{0}” is no number', name));
    case 'whole':
      if (typeof value === 'bigint') return value;
      if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
      throw new TaskFault('schema', l10n.t('“{0}” is no whole number', name));
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw new TaskFault('schema', l10n.t('“{0}” is neither true nor false', name));
    case 'list':
      if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
      throw new TaskFault('schema', l10n.t('“{0}” is no list of texts', name));
    case 'json':
      return value;
  }
}

function ofText(text: string, kind: RecipeField['kind'], name: string): PythonValue {
  const plain = text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  switch (kind) {
    case 'number': {
      const number = Number(plain);
      return ofJson(/^[+-]?\d{1,300}$/.test(plain) ? BigInt(plain.replace('+', '')) : number, kind, name);
    }
    case 'whole':
      return ofJson(/^[+-]?\d{1,300}$/.test(plain) ? BigInt(plain.replace('+', '')) : null, kind, name);
    case 'boolean': {
      const word = text.toLowerCase().replace(/[.!]$/, '');
      const said = word === 'yes' || word === 'true' ? true : word === 'no' || word === 'false' ? false : null;
      return ofJson(said, kind, name);
    }
    case 'list':
      return text
        .split('\n')
        .map((line) => line.replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/, '').trim())
        .filter((line) => line !== '');
    default:
      return ofJson(text, kind, name);
  }
}
