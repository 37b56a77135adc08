/** Values of a field as one text with commas between them. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { kindOf } from '../../src/shared/experiment/kind.ts';

export type Value = string | number | boolean | null;

/** @returns the values, or the first text that the field cannot have */
export function valuesIn(text: string, field: FieldPath | null): { values: Value[] } | { wrong: string } {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const values: Value[] = [];
  for (const part of parts) {
    const value = valueIn(part, field);
    if (value === undefined) return { wrong: part };
    values.push(value);
  }
  return { values };
}

function valueIn(text: string, field: FieldPath | null): Value | undefined {
  const kind = field === null ? null : kindOf(field);
  const number = Number(text);
  switch (kind?.kind) {
    case 'number':
      return text === 'null' && kind.nullable ? null : Number.isFinite(number) ? number : undefined;
    case 'flag':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    case 'choice':
      return kind.choices.includes(text) ? text : undefined;
    case 'text':
    case 'file':
      return text === 'null' && kind.nullable ? null : text;
    default:
      return text === 'true' || text === 'false' ? text === 'true' : Number.isFinite(number) ? number : text;
  }
}

export const textOf = (values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');

/** A text of the file; '' for what is none. */
export const plain = (value: unknown): string => (typeof value === 'string' ? value : '');
