/** Faults of a domain file, as problems at its lines. */
import { resolve } from 'node:path';
import type * as vscode from 'vscode';
import type { DomainProblem } from '../../../../domains/checkDomain.ts';
import type { WatchedCall } from '../../../../domains/watchedFunctions.ts';
import type { Problem } from '../../../../shared/experiment/problems/problem.ts';
import type { Task } from '../../../../shared/records/task.ts';
import { currentText } from '../../../../host/currentText.ts';
import { isAdapter } from '../../../../host/files/adapterFiles.ts';
import { adapterFunctions } from '../adapterFunctions.ts';
import { declaredFunctions } from '../../../../domains/declaredFunctions.ts';

/** Calls that failed, each at its line: the same line says the same once. */
export function faultsOf(domain: vscode.Uri, calls: readonly WatchedCall[]): Problem[] {
  const found = new Map<string, Problem>();
  for (const { name, fault } of calls) {
    if (fault === null) continue;
    const { file, line, column } = fault.at ?? { file: domain.fsPath, line: 1, column: 1 };
    const message = `“${name}”: ${fault.message}`;
    found.set(`${file}:${line}:${message}`, problem(file, line, column, name, message));
  }
  return [...found.values()];
}

/** Where it failed; else where the seed task stands that shows it, else the function, or the adapter's field. */
export async function placed(domain: vscode.Uri, problems: readonly DomainProblem[]): Promise<Problem[]> {
  if (problems.length === 0) return [];
  const text = await currentText(domain);
  const lines = text.split('\n');
  const declared = isAdapter(domain) ? adapterFunctions(text) : declaredFunctions(text);
  // The seed tasks of an adapter stand in its data.
  const holders = isAdapter(domain) ? [] : lines;
  return problems.map(({ message, call, task, at }) => {
    if (at !== null) return problem(resolve(at.file), at.line, at.column, call, message);
    const line = (task === null ? null : lineOf(task, holders)) ?? declared.get(call) ?? declared.get('seeds') ?? 0;
    return problem(domain.fsPath, line + 1, firstColumn(lines[line] ?? ''), call, message);
  });
}

/** The one line that holds the beginning of a task's prompt; null where none or several do. */
function lineOf({ prompt }: Task, lines: readonly string[]): number | null {
  const sought = (prompt.at(-1)?.content ?? '').split('\n')[0]?.slice(0, 60) ?? '';
  if (sought === '') return null;
  const found = [...lines.entries()].filter(([, text]) => text.includes(sought));
  const [[line] = [null], ...more] = found;
  return more.length === 0 ? line : null;
}

const firstColumn = (line: string): number => 1 + Math.max(0, line.search(/\S/));

const problem = (file: string, line: number, column: number, field: string, message: string): Problem => ({
  ...{ file, line, column, field, message, remedy: '', severity: 'error' as const },
});
