/** Turns zod's issues with a value into problems that a person can act on. */
import type * as z from 'zod';
import { isAddressField, keyBeside, secretIn } from '../endpoints/addressField.ts';
import { allowedAt, fieldsAt, fieldsOf, type JsonSchema } from '../allowed.ts';
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
      message: `"${fieldName(parent)}" is of kind "${kind}", which has no field "${key}".`,
      remedy: `Remove it, or choose another kind. The fields of this one are ${known.join(', ')}.`,
      severity: 'error',
    };
  }
  const retired = whyRetired(fieldName(path));
  if (retired !== null) {
    return {
      ...placeOfName(path),
      field: fieldName(path),
      message: `"${fieldName(path)}" is no longer a setting: ${retired}.`,
      remedy: 'Remove it.',
      severity: 'error',
    };
  }
  const inside = parent.length === 0 ? '' : ` in "${fieldName(parent)}"`;
  return {
    ...placeOfName(path),
    field: fieldName(path),
    message: `Unknown field "${key}"${inside}.`,
    remedy: suggestion(key, known, schema),
    severity: 'error',
  };
}

/** The nearest name here, else the place where the name belongs, else the list of names. */
function suggestion(key: string, known: readonly string[], schema: JsonSchema): string {
  const near = nearest(key, known);
  if (near !== null) return `Did you mean "${near}"?`;
  const home = homeOf(schema, key, []);
  if (home !== null) return `It belongs in "${fieldName(home)}".`;
  return `Remove it. The fields here are ${known.join(', ')}.`;
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
  const allowed = allowedAt(context.schema, path);
  const subject = field === '' ? 'The whole' : spoken(field);
  const missing = value === undefined;
  // The value may be the key: it must not reach a problem, a log, or a person's screen.
  if (isKeyField(field) && typeof value === 'string') return writtenKey(field, context.placeOf(path));
  const secret = isAddressField(field) && typeof value === 'string' ? secretIn(value) : null;
  if (secret !== null) return writtenSecret(field, secret, context.placeOf(path));
  const must = allowed === '' ? issue.message : `must be ${allowed}`;
  return {
    ...context.placeOf(path),
    field,
    message: missing ? `${subject} is missing; it ${must}.` : `${subject} is ${abridged(value)}, but ${must}.`,
    remedy: missing ? '' : remedy(path, value, context),
    severity: 'error',
  };
}

const writtenKey = (field: string, place: Place): Problem => ({
  ...place,
  field,
  message: `${field} is no reference to a key: a key is never written into a file, where others would read it.`,
  remedy:
    'Write ${env:NAME} for an environment variable, or ${secret:NAME} and set it with “GenEnv: Set Key…”. A key that ' +
    'stood in a file that others have should be replaced by a new one.',
  severity: 'error',
});

const writtenSecret = (field: string, what: string, place: Place): Problem => ({
  ...place,
  field,
  message: `${field} holds ${what}: an address is copied into runs and reports, where others would read it.`,
  remedy: keyBeside,
  severity: 'error',
});

function remedy(path: Path, value: unknown, { schema, defaultAt }: IssueContext): string {
  if (typeof value === 'string') {
    const choices = [...allowedAt(schema, path).matchAll(/"([^"]+)"/g)].map(([, choice]) => choice ?? '');
    const near = nearest(value, choices);
    if (near !== null) return `Did you mean "${near}"?`;
    if (value.trim() !== '' && Number.isFinite(Number(value)) && allowedAt(schema, path).includes('number')) {
      return `Write ${value.trim()} without quotes.`;
    }
  }
  const fallback = defaultAt?.(path);
  // An object or a list is too long for a message, and a field without a preset cannot be left out.
  if (fallback?.value === undefined || typeof fallback.value === 'object') return '';
  return `Leave it out to use ${JSON.stringify(fallback.value)} (${fallback.from}).`;
}

function abridged(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
