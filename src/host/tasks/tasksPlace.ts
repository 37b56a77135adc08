/** What an address means to the task editor: a task file, a run's tasks, or one of a run's pools. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { runPaths } from '../../runs/runPaths.ts';
import type { ShownPool } from '../../runs/taskTable/runTasks.ts';

export const tasksViewType = 'genenv.tasks';
/** Task files of the workspace. */
export const taskFilePattern = '**/*.tasks.jsonl';

export type TasksPlace = { kind: 'file'; path: string } | { kind: 'run'; run: string; pool: ShownPool | null };

/** A run's records lie beside its `run.json`. */
export function tasksPlaceOf(uri: vscode.Uri): TasksPlace {
  const path = uri.fsPath;
  const run = dirname(path);
  if (basename(path) !== 'tasks.jsonl' || !existsSync(join(run, 'run.json'))) return { kind: 'file', path };
  const pool = uri.query === 'agent' || uri.query === 'environment' ? uri.query : null;
  return { kind: 'run', run, pool };
}

/** The address of a run's tasks, or of one of its pools. */
export function runTasksUri(run: string, pool: ShownPool | null = null): vscode.Uri {
  return vscode.Uri.file(runPaths(run).tasks.records).with({ query: pool ?? '' });
}
