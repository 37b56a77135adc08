/** What a thrown value says of itself, and where in a person's own files it comes from. */
import { fileURLToPath } from 'node:url';

const text = String;
const longest = 8000;

export interface Failure {
  message: string;
  stack: string | null;
  at: { file: string; line: number; column: number } | null;
}

/** Never throws, whatever was thrown. @param files a person's own */
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

/** `at f (file:///a/b.ts:3:7)`, and `file:///a/b.ts:3` above what a parser shows. */
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
