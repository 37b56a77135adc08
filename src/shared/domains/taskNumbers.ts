/** Whole numbers beyond 2^53 in a task that a domain file gives: a gold has all digits, other places would round them. */
import { asNumbers, longDigits } from '../writtenNumbers.ts';

/** A number that would be rounded, or may be already, by the names of its fields. */
export interface Rounded {
  path: string;
  text: string;
}

/** Fields that are kept as JSON; a difficulty is drawn, and may be rounded. */
const keptFields: ReadonlySet<string> = new Set(['evaluation', 'tools', 'reset']);

/** The task, or each of a list, with its gold as text and other numbers as they are here. @param given `parseAsWritten` */
export function plainTasks(given: unknown): { value: unknown } | { rounded: Rounded } {
  if (!Array.isArray(given)) return plainTask(given, '');
  const tasks: unknown[] = [];
  for (const [i, task] of given.entries()) {
    const plain = plainTask(task, `${i}.`);
    if ('rounded' in plain) return plain;
    tasks.push(plain.value);
  }
  return { value: tasks };
}

function plainTask(task: unknown, at: string): { value: unknown } | { rounded: Rounded } {
  if (typeof task !== 'object' || task === null) return { value: asNumbers(task) };
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(task)) {
    const path = `${at}${name}`;
    const rounded = name === 'gold' ? roundedGold(value, path) : keptFields.has(name) ? roundedIn(value, path) : null;
    if (rounded !== null) return { rounded };
    fields.push([name, name === 'gold' ? (longDigits(value) ?? asNumbers(value)) : asNumbers(value)]);
  }
  return { value: Object.fromEntries(fields) };
}

/** Python’s whole numbers have all digits; those of JavaScript, and Python’s floats, may have lost some before. */
function roundedGold(gold: unknown, path: string): Rounded | null {
  const number = longDigits(gold) === null ? asNumbers(gold) : null;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? { path, text: String(number) } : null;
}

function roundedIn(value: unknown, path: string): Rounded | null {
  const digits = longDigits(value);
  if (digits !== null) return String(Number(digits)) === digits ? null : { path, text: digits };
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = roundedIn(inner, `${path}.${name}`);
    if (found !== null) return found;
  }
  return null;
}
