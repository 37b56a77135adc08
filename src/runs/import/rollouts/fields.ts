/** Fields that rows of several programs have in common. */
import { isObject } from '../../../shared/experiment/resolve.ts';
import { LongInteger } from '../../../shared/longInteger.ts';
import type { Row } from '../rows.ts';

export function numberIn(row: Row, ...names: readonly string[]): number | null {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'boolean') return Number(value);
  }
  return null;
}

/** A verdict: true and false, or 1 and 0. */
export function verdictIn(row: Row, ...names: readonly string[]): boolean | null {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'boolean') return value;
    if (value === 0 || value === 1) return value === 1;
  }
  return null;
}

/** The first text or number among these fields; null for empty and absent ones. */
export function nameIn(row: Row, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = row[name];
    if (typeof value === 'number' || value instanceof LongInteger) return String(value);
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** A reference answer, structured ones as JSON. */
export function goldIn(row: Row, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = row[name];
    if (value === undefined || value === null || value === '') continue;
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
  return null;
}

/** Numbers of a row or of an object in it, but for these. */
export function numbersOf(value: unknown, without: readonly string[] = []): Record<string, number> {
  if (!isObject(value)) return {};
  const named = Object.entries(value).flatMap(([name, one]): [string, number][] => {
    if (without.includes(name)) return [];
    if (typeof one === 'boolean') return [[name, Number(one)]];
    return typeof one === 'number' && Number.isFinite(one) ? [[name, one]] : [];
  });
  return Object.fromEntries(named);
}
