/** The address's meaning for the task editor: a task file, a run's tasks, or one of a run's pools. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { ShownPool } from '../node/runTasks.ts';

export const tasksViewType = 'genenv.tasks';
/** Task files of the workspace. */
export const taskFilePattern = '**/*.tasks.jsonl';

export type TasksPlace = { kind: 'file'; path: string } | { kind: 'run'; run: string; pool: ShownPool | null };

/** Names of the pools' documents, which are no files: shown in the tab. */
const poolFiles: Record<ShownPool, string> = { agent: 'D_train.tasks.jsonl', environment: 'D_env.tasks.jsonl' };

/** A run's records are in the folder of its `run.json`. */
export function tasksPlaceOf({ fsPath }: vscode.Uri): TasksPlace {
  const run = dirname(fsPath);
  const name = basename(fsPath);
  const pool = name === poolFiles.agent ? 'agent' : name === poolFiles.environment ? 'environment' : null;
  const isRun = (name === 'tasks.jsonl' || pool !== null) && existsSync(join(run, 'run.json'));
  return isRun ? { kind: 'run', run, pool } : { kind: 'file', path: fsPath };
}

/** The address of a run's tasks, or of one of its pools. */
export const runTasksUri = (run: string, pool: ShownPool | null = null): vscode.Uri =>
  vscode.Uri.file(pool === null ? runPaths(run).tasks.records : join(run, poolFiles[pool]));
