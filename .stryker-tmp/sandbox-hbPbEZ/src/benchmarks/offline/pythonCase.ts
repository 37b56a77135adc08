/** A line of `genenv score`, read as Python would: numbers keep their kinds. */
import { parseJson } from '../python/json.ts';
import type { PythonValue } from '../python/value.ts';
import { CaseError } from './offlineScorer.ts';

export type Case = ReadonlyMap<string, PythonValue>;

/** @throws CaseError for what is no JSON object */
export function readCase(line: string): Case {
  try {
    const value = parseJson(line);
    if (value instanceof Map) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CaseError('not-json', '', `this is not JSON (${error.message})`);
  }
  throw new CaseError('form', '', 'a case is an object');
}

/** @throws CaseError */
export function text(of: Case, field: string): string {
  const value = of.get(field);
  if (typeof value !== 'string') throw new CaseError('form', field, 'must be a string');
  return value;
}
