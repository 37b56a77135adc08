/** Which files the Problems panel reads as tasks. */
import { statSync } from 'node:fs';
import * as vscode from 'vscode';
import type { WrittenFiles } from '../../../../host/fileProblems.ts';
import { taskFilePattern } from '../tasksPlace.ts';

/** Larger files are checked task by task, in their editor. */
const largest = 4 * 2 ** 20;
/** So many files are looked at when the window opens. */
const found = 100;
/** Maximum number of reported problems of a file. */
const told = 500;

export const taskFiles: WrittenFiles = {
  collection: 'genenv.tasks',
  pattern: taskFilePattern,
  isOne: ({ scheme, path, fsPath }) =>
    scheme === 'file' &&
    path.endsWith('.tasks.jsonl') &&
    (statSync(fsPath, { throwIfNoEntry: false })?.size ?? 0) <= largest,
  find: () => vscode.workspace.findFiles(taskFilePattern, undefined, found),
  async problemsOf(text, file) {
    const { taskFileProblems } = await import('./taskFileProblems.ts');
    return (await taskFileProblems(text, file)).slice(0, told);
  },
};
