/** A JSON Schema whose texts for people are in the editor's language; those without a translation stay English. */
import * as l10n from '@vscode/l10n';

const texts = new Set(['title', 'description']);

export function schemaInWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaInWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]): [string, unknown] => [name, part(name, value)]),
  );
}

function part(name: string, value: unknown): unknown {
  if (texts.has(name) && typeof value === 'string') return translated(value);
  if (name === 'enumDescriptions' && Array.isArray(value))
    return value.map((text: unknown) => (typeof text === 'string' ? translated(text) : text));
  return schemaInWords(value);
}

const translated = (text: string): string => (text === '' ? '' : l10n.t(text));
