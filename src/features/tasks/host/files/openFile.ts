/** A task file of the workspace, opened for the editor. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { bitOf } from '../../../health/contract.ts';
import type { HealthFlag } from '../../../health/contract.ts';
import { Breather } from '../../../../runs/files/breather.ts';
import { EditedTasks } from '../../node/editedTasks.ts';
import { TaskFile } from '../../node/taskFile.ts';
import { fileSource } from '../../node/taskSource.ts';
import { editedLine } from '../../node/fileLine.ts';
import type { TaskPart } from '../../node/taskValues.ts';
import { append } from '../../../../shared/append.ts';
import { parseTaskFile } from '../../../../shared/records/taskFile.ts';
import type { TaskRemark } from '../../contract.ts';
import { once } from '../../../../host/once.ts';
import { damageOf } from './damagedLine.ts';
import type { OpenedTasks } from '../openTasks.ts';
import { TaskRules } from '../taskRules.ts';

/** Number of attempts in a re-attempt of a task outside of runs. */
const group = 8;

/** @throws RunError `unreadable` */
export async function openFile(path: string): Promise<OpenedTasks> {
  const file = await TaskFile.open(path);
  const tasks = new EditedTasks(fileSource(file, (signal) => flagAll(signal)));
  file.partOf = (row) => tasks.partOf(row);
  let closed: TaskRules | null = null;
  let isFlagged = false;
  const rules = once(async () => {
    const { openFileJudge } = await import('../../../../launch/scoring/openFileJudge.ts');
    return (closed = new TaskRules(await openFileJudge(), tasks));
  });
  const unsaved = (rows: readonly number[]): Map<number, TaskPart> =>
    new Map(rows.map((row) => [row, tasks.working.changeOf(row)?.after ?? {}]));

  const opened: OpenedTasks = {
    tasks,
    run: null,
    about: () => ({
      kind: 'file',
      name: basename(path),
      run: null,
      pool: null,
      tasks: tasks.columns.count,
      damaged: file.damaged.size,
      trusted: vscode.workspace.isTrusted,
      live: false,
      attempts: { group, why: vscode.workspace.isTrusted ? null : untrusted() },
    }),
    rules,
    async lineRemarks(row) {
      const remarks: TaskRemark[] = [];
      for await (const { text } of tasks.source.table.texts([row])) {
        const line = editedLine(text, tasks.working.changeOf(row)?.after ?? {}) ?? text;
        append(remarks, remarksOfLine(line));
      }
      return remarks;
    },
    async damageOf(row) {
      for await (const { text } of tasks.source.table.texts([row])) return damageOf(text, file.lineOf(row));
      return null;
    },
    async flagsOf(row, task) {
      const own = await rules();
      const remarks = await own.remarks(row, task);
      return remarks.map(({ field, severity, message }): HealthFlag => {
        const flag = field === 'gold' ? 'unverifiable' : severity === 'warning' ? 'duplicate' : 'unverifiable';
        return {
          flag: own.isHeldOut(task) && severity === 'error' && field === 'prompt' ? 'held-out' : flag,
          why: message,
        };
      });
    },
    // A file stores no attempts: a measurement is shown, and lost with the window.
    measured: () => undefined,
    grow: () => Promise.resolve(),
    onDidGrow: () => undefined,
    save: (rows, added) => file.save(unsaved(rows), added),
    saveTo: (target, added) => file.saveTo(target, unsaved(tasks.working.dirty), added),
    isStale: () => file.isStale(),
    async close() {
      closed?.close();
      await tasks.source.close();
    },
  };

  async function flagAll(signal: AbortSignal): Promise<void> {
    if (isFlagged) return;
    const own = await rules();
    await own.learnDoubles();
    const breather = new Breather();
    for (let row = 0; row < tasks.columns.count; row++) {
      await breather.breathe();
      signal.throwIfAborted();
      const [now] = await tasks.at([row]);
      if (now === undefined || now.damaged !== null) continue;
      const flags = await opened.flagsOf(row, now.task);
      tasks.columns.flags[row] = flags.reduce((bits, { flag }) => bits | bitOf(flag), 0);
    }
    isFlagged = true;
  }
  return opened;
}

/** The faults found in reading a line as a task. */
function remarksOfLine(line: string): TaskRemark[] {
  const read = parseTaskFile(line, '', 'base');
  const problems = 'problems' in read ? read.problems : read.leftOut;
  return problems
    .filter(({ field }) => field !== 'status' && field !== '')
    .map(({ field, severity, message, remedy }) => ({
      field: /^\w+/.exec(field)?.[0] ?? field,
      ...{ severity, message, remedy },
    }));
}

const untrusted = (): string => vscode.l10n.t('Attempts are off in Restricted Mode.');
