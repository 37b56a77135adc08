/** The text of a task file, and its tasks with their lines. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { messageOf } from '../../shared/messageOf.ts';
import type { Task } from '../../shared/records/task.ts';
import { parseTaskFile } from '../../shared/records/taskFile.ts';
import { codeOf } from '../../shared/systemError.ts';
import { absentFile, InputError, ofName } from './inputError.ts';
import { strictText } from './strictText.ts';

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
    return await strictText(path, path, field);
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    if (codeOf(cause) === 'ENOENT') throw absentFile(path, field);
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
