/** The text of a task file, and its tasks with their lines. */
import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { messageOf } from '../../shared/messageOf.ts';
import type { Task } from '../../shared/records/task.ts';
import { parseTaskFile } from '../../shared/records/taskFile.ts';
import { NotUtf8, utf8Text } from '../../shared/text/utf8.ts';
import { codeOf } from '../../shared/systemError.ts';
import { absentFile, InputError, ofName } from './inputError.ts';

export type Origin = 'base' | 'validation' | 'offline';

/** A task file as it was read: line `lines[i]` of the file holds task i. */
export interface Read {
  path: string;
  tasks: Task[];
  lines: number[];
}

/** @throws InputError */
export async function readTaskText(path: string, field: string): Promise<string> {
  try {
    return utf8Text(await readFile(path));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') throw absentFile(path, field);
    if (cause instanceof NotUtf8) {
      const { line, message, remedy } = cause;
      throw new InputError([problem(path, line, field, l10n.t('The file cannot be read: {0}.', message), remedy)]);
    }
    const why = messageOf(cause);
    throw new InputError([
      ofName(path, field, l10n.t('The file cannot be read: {0}.', why), l10n.t('Correct the path or its permissions.')),
    ]);
  }
}

/** @throws InputError */
export function parsed(text: string, path: string, origin: Origin): Read {
  const read = parseTaskFile(text, path, origin);
  if ('problems' in read) throw new InputError(read.problems);
  return { path, tasks: read.tasks, lines: read.lines };
}

export function problem(file: string, line: number, field: string, message: string, remedy: string): Problem {
  return { file, line, column: 1, field, message, remedy, severity: 'error' };
}
