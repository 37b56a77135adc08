/** Turns zod's issues with a value into problems that a person can act on. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { isAddressField, keyBeside, secretIn } from '../endpoints/addressField.ts';
import { allowedAt, fieldsAt, fieldsOf, takesNumber, type JsonSchema } from '../allowed.ts';
import { fieldName, type Path } from '../text/jsonText.ts';
import { isKeyField } from '../endpoints/keyField.ts';
import { nearest } from './nearest.ts';
import type { Place, Problem } from './problem.ts';
import { at } from '../resolve.ts';
import { whyRetired } from '../retired.ts';
import { spoken } from '../symbols.ts';

export interface IssueContext {
  /** Of the schema that found the issues. */
  schema: JsonSchema;
  value: unknown;
  placeOf: (path: Path) => Place;
  placeOfName: (path: Path) => Place;
  /** The value of a field that is omitted, where it may be. */
  defaultAt?: (path: Path) => { value: unknown; from: string } | undefined;
}

/** Every issue at its own place. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], context: IssueContext): Problem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.filter((part) => typeof part !== 'symbol');
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField([...path, key], context));
    return [wrongValue(path, issue, context)];
  });
}

function unknownField(path: Path, { schema, value, placeOfName }: IssueContext): Problem {
  const parent = path.slice(0, -1);
  const key = String(path.at(-1));
  const kind = at(value, [...parent, 'kind']);
  const known = fieldsOf(schema, parent, kind);
  if (typeof kind === 'string' && fieldsAt(schema, parent).includes(key)) {
    return {
      ...placeOfName(path),
      field: fieldName(path),
      message: l10n.t('"{0}" is of kind "{1}", which has no field "{2}".', fieldName(parent), kind, key),
      remedy: l10n.t('Remove it, or choose another kind. The fields of this one are {0}.', known.join(', ')),
      severity: 'error',
    };
  }
  const retired = whyRetired(fieldName(path));
  if (retired !== null) {
    return {
      ...placeOfName(path),
      field: fieldName(path),
      message: l10n.t('"{0}" is no longer a setting: {1}.', fieldName(path), retired),
      remedy: l10n.t('Remove it.'),
      severity: 'error',
    };
  }
  return {
    ...placeOfName(path),
    field: fieldName(path),
    message:
      parent.length === 0
        ? l10n.t('Unknown field "{0}".', key)
        : l10n.t('Unknown field "{0}" in "{1}".', key, fieldName(parent)),
    remedy: suggestion(key, known, schema),
    severity: 'error',
  };
}

/** The nearest name here, else the place where the name belongs, else the list of names. */
function suggestion(key: string, known: readonly string[], schema: JsonSchema): string {
  const near = nearest(key, known);
  if (near !== null) return l10n.t('Did you mean "{0}"?', near);
  const home = homeOf(schema, key, []);
  if (home !== null) return l10n.t('It belongs in "{0}".', fieldName(home));
  return l10n.t('Remove it. The fields here are {0}.', known.join(', '));
}

/** The first object of the schema with a field of this name. */
function homeOf(schema: JsonSchema, key: string, path: Path): Path | null {
  const names = fieldsAt(schema, path);
  if (path.length > 0 && names.includes(key)) return path;
  for (const name of names) {
    const found = homeOf(schema, key, [...path, name]);
    if (found !== null) return found;
  }
  return null;
}

function wrongValue(path: Path, issue: z.core.$ZodIssue, context: IssueContext): Problem {
  const field = fieldName(path);
  const value = at(context.value, path);
  const allowed = allowedAt(context.schema, path, context.value);
  const subject = field === '' ? l10n.t('The whole') : spoken(field);
  const missing = value === undefined;
  // The value may be the key: it must not reach a problem, a log, or a person's screen.
  if (isKeyField(field) && typeof value === 'string') return writtenKey(field, context.placeOf(path));
  const secret = isAddressField(field) && typeof value === 'string' ? secretIn(value) : null;
  if (secret !== null) return writtenSecret(field, secret, context.placeOf(path));
  const must = allowed === '' ? issue.message : l10n.t('must be {0}', allowed);
  return {
    ...context.placeOf(path),
    field,
    message: missing
      ? l10n.t('{0} is missing; it {1}.', subject, must)
      : l10n.t('{0} is {1}, but {2}.', subject, abridged(value), must),
    remedy: missing ? '' : remedy(path, context),
    severity: 'error',
  };
}

const writtenKey = (field: string, place: Place): Problem => ({
  ...place,
  field,
  message: l10n.t(
    '{0} is no reference to a key: a key is never written into a file, where others would read it.',
    field,
  ),
  remedy: l10n.t(
    'Write {0} for an environment variable, or {1} and set it with “GenEnv: Set Key…”. A key that stood in a file that others have should be replaced by a new one.',
    '${env:NAME}',
    '${secret:NAME}',
  ),
  severity: 'error',
});

const writtenSecret = (field: string, what: string, place: Place): Problem => ({
  ...place,
  field,
  message: l10n.t(
    '{0} holds {1}: an address is copied into runs and reports, where others would read it.',
    field,
    what,
  ),
  remedy: keyBeside(),
  severity: 'error',
});

function remedy(path: Path, { schema, value: whole, defaultAt }: IssueContext): string {
  const value = at(whole, path);
  if (typeof value === 'string') {
    const choices = [...allowedAt(schema, path, whole).matchAll(/"([^"]+)"/g)].map(([, choice]) => choice ?? '');
    const near = nearest(value, choices);
    if (near !== null) return l10n.t('Did you mean "{0}"?', near);
    if (value.trim() !== '' && Number.isFinite(Number(value)) && takesNumber(schema, path, whole)) {
      return l10n.t('Write {0} without quotes.', value.trim());
    }
  }
  const fallback = defaultAt?.(path);
  // An object or a list is too long for a message, and a field without a preset cannot be left out.
  if (fallback?.value === undefined || typeof fallback.value === 'object') return '';
  return l10n.t('Leave it out to use {0} ({1}).', JSON.stringify(fallback.value), fallback.from);
}

function abridged(value: unknown): string {
  if (Array.isArray(value)) return l10n.t('a list');
  if (typeof value === 'object' && value !== null) return l10n.t('an object');
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
