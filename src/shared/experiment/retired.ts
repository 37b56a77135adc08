/** Fields that experiments had once. Runs and journals that name them are read without them. */
import * as l10n from '@vscode/l10n';
import { isObject, type JsonObject } from './resolve.ts';

/** Why each field was removed: the message for files that still use it. */
const reasons: Readonly<Record<string, () => string>> = {
  'rollouts.maxStaleness': (): string =>
    l10n.t('it never had an effect: every attempt is by the agent that learns from it'),
};

/** Why a field was removed; null for a field that never existed. */
export const whyRetired = (field: string): string | null =>
  Object.hasOwn(reasons, field) ? (reasons[field]?.() ?? null) : null;

/** An experiment's object without the fields that are gone. */
export function withoutRetired(experiment: JsonObject): JsonObject {
  return Object.keys(reasons).reduce((left, field) => without(left, field.split('.')), experiment);
}

function without(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  const inner = object[name];
  if (rest.length > 0) return isObject(inner) ? { ...object, [name]: without(inner, rest) } : object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
