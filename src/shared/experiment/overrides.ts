/** `--set curriculum.alpha=0.4`: single values given on top of a file. */
import * as l10n from '@vscode/l10n';
import { parseSaid } from '../json.ts';
import { resolvedJsonSchema } from './jsonSchema.ts';
import { schemasAt } from './allowed.ts';
import { secretIn } from './endpoints/addressField.ts';
import type { Path } from './text/jsonText.ts';
import { isMethod } from './named/methods.ts';
import { nested, overlay, withMethod, type JsonObject } from './resolve.ts';
import type { Place, Problem } from './problems/problem.ts';

export interface Override {
  path: string[];
  value: unknown;
  /** As it was typed. */
  text: string;
  /** Where it stands, when that is a file and not the command line. */
  place?: Place;
}

/** Reads `path=value`. A value is JSON where it can be, and the text itself where the field wants a text. */
export function readOverride(text: string): Override | Problem {
  const equals = text.indexOf('=');
  const path = text
    .slice(0, Math.max(0, equals))
    .split('.')
    .map((part) => part.trim());
  if (equals < 1 || path.includes('') || path.includes('__proto__')) {
    return {
      ...placeOfOverride(text),
      field: '',
      message: l10n.t('"{0}" is not a setting.', text),
      remedy: l10n.t('Write a field and its value, as in curriculum.alpha=0.4.'),
      severity: 'error',
    };
  }
  return { path, value: valueOf(text.slice(equals + 1).trim(), path), text };
}

function valueOf(text: string, path: Path): unknown {
  const types = schemasAt(resolvedJsonSchema(), path).flatMap(({ type }) => [type ?? []].flat());
  const wantsText = types.includes('string');
  if (wantsText && !(types.includes('null') && text === 'null')) return unquoted(text);
  const value = parseSaid(text);
  // The schema reports the expected type; the original text makes the clearest message.
  return value === undefined ? text : value;
}

function unquoted(text: string): string {
  const said = text.startsWith('"') && text.endsWith('"') ? parseSaid(text) : undefined;
  return typeof said === 'string' ? said : text;
}

/** Repeats the value unless it may hold a key, which must not reach a log. */
export function placeOfOverride(text: string): Pick<Problem, 'file' | 'line' | 'column'> {
  const [field = '', ...rest] = text.split('=');
  const value = rest.join('=').trim();
  const isEndpoint = /^\s*endpoints\b/.test(field) && value.startsWith('{');
  const mayHoldKey = /key\s*$/i.test(field) || isEndpoint || secretIn(value) !== null;
  return { file: `--set ${mayHoldKey ? `${field}=…` : text}`, line: 1, column: 1 };
}

/**
 * An object with the overrides on top, later ones over earlier ones. A method sets all that it decides, beneath the
 * other overrides wherever it stands among them.
 */
export function withOverrides(file: JsonObject, overrides: readonly Override[]): JsonObject {
  const method = overrides.findLast(({ path }) => path.join('.') === 'method')?.value;
  return overrides.reduce(
    (under, { path, value }) => overlay(under, nested(path, value)),
    isMethod(method) ? withMethod(file, method) : file,
  );
}
