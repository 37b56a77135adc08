/** The text of a task file, and its tasks with their lines. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { messageOf } from '../../shared/messageOf.ts';
import type { Task } from '../../shared/records/task.ts';
import { parseTaskFile, type LeftOut } from '../../shared/records/taskFile.ts';
import { codeOf } from '../../shared/systemError.ts';
import { absentFile, InputError, ofName } from './inputError.ts';
import { atGiven, namesOf, type ProgramTasks } from './programTasks.ts';
import { strictText } from './strictText.ts';

export type Origin = 'base' | 'validation' | 'offline';

/** A task file as it was read: line `lines[i]` of the file holds task i. */
export interface Read {
  path: string;
  tasks: Task[];
  lines: number[];
  leftOut: readonly LeftOut[];
  /** The domain file or adapter that gave the tasks; null for a file of them. */
  program: ProgramTasks | null;
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
export function parsed(text: string, path: string, origin: Origin, program: ProgramTasks | null = null): Read {
  const read = parseTaskFile(text, path, origin, namesOf(program));
  if ('problems' in read) throw new InputError(read.problems.map((problem) => atGiven(problem, program)));
  const leftOut = read.leftOut.map((one) => atGiven(one, program));
  return { path, program, ...read, leftOut: [...leftOut, ...(program?.leftOut ?? [])] };
}

/** A fault of the task at this index. */
export function faultOf(
  { path, lines, program }: Read,
  i: number,
  field: string,
  message: string,
  remedy: string,
): Problem {
  return atGiven(problem(path, lines[i] ?? 1, field, message, remedy), program);
}

function problem(file: string, line: number, field: string, message: string, remedy: string): Problem {
  return { file, line, column: 1, field, message, remedy, severity: 'error' };
}
