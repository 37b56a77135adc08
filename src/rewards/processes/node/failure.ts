/** The message of a thrown value, and its origin in the user's own files. */
import { fileURLToPath } from 'node:url';

const text = String;
const longest = 8000;

export interface Failure {
  message: string;
  stack: string | null;
  at: { file: string; line: number; column: number } | null;
}

/** Never throws. @param files the user's own files */
export function failureOf(error: unknown, files: ReadonlySet<string>): Failure {
  try {
    if (!(error instanceof Error))
      return { message: `It threw ${shown(error)}, which is no Error.`, stack: null, at: null };
    const stack = typeof error.stack === 'string' ? error.stack.substring(0, longest) : null;
    const message = `${text(error.name)}: ${text(error.message)}`.substring(0, longest);
    return { message, stack, at: stack === null ? null : placeIn(stack, files) };
  } catch {
    return { message: 'It threw something that cannot be read.', stack: null, at: null };
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.substring(0, 200));
  return typeof value === 'object' && value !== null ? 'an object' : text(value);
}

/** `at f (file:///a/b.ts:3:7)`, and the `file:///a/b.ts:3` line of a parser error. */
const frame = /((?:file:\/\/|\/|[A-Za-z]:\\)[^\n()]*?):(\d+)(?::(\d+))?\)?$/;

function placeIn(stack: string, files: ReadonlySet<string>): Failure['at'] {
  for (const line of stack.split('\n')) {
    const [, where, row, column] = frame.exec(line) ?? [];
    if (where === undefined) continue;
    const file = where.startsWith('file:') ? fileURLToPath(where) : where;
    if (files.has(file)) return { file, line: Math.max(1, Number(row)), column: Math.max(1, Number(column ?? 1)) };
  }
  return null;
}
