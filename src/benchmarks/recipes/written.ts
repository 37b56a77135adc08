import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { parseJson } from '../python/json.ts';
import { plainValue, type PythonValue } from '../python/value.ts';
import { TaskFault } from '../taskFault.ts';

/**
 * The JSON object in a text of the environment, first bracket to last, numbers apart as they are written: 5 is not 5.0.
 * @throws TaskFault `unparseable`
 */
export function writtenObject(text: string): ReadonlyMap<string, PythonValue> {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) throw new TaskFault('unparseable', l10n.t('there is no JSON object in the text'));
  let value: PythonValue;
  try {
    value = parseJson(text.slice(from, to + 1));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new TaskFault('unparseable', l10n.t('the text holds no JSON object ({0})', error.message));
  }
  if (value instanceof Map) return value;
  throw new TaskFault('unparseable', l10n.t('the text holds no JSON object'));
}

/** A value in the form that is asked for. @throws TaskFault `schema` naming the field */
export function inForm<T>(value: unknown, schema: z.ZodType<T>, field = ''): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(field === '' ? [] : [field]), ...(issue?.path ?? [])].map(String).join('.');
  throw new TaskFault('schema', `${path === '' ? l10n.t('the object') : path}: ${issue?.message ?? ''}`);
}

/** The same of an object that was written, its whole numbers as JavaScript has them. @throws TaskFault `schema` */
export const writtenForm = <T>(object: ReadonlyMap<string, PythonValue>, schema: z.ZodType<T>): T =>
  inForm(plainValue(new Map(object)), schema);
