/** Shows a place in a run: a trace or a task as its document, a family or an epoch in the tree. */
import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import type { RunsTree, RunTarget } from '../trees/target.ts';

export async function openPlace(
  { run, epoch, family, task, trace }: RunTarget,
  tree: Pick<RunsTree, 'reveal'>,
): Promise<void> {
  const target = { run, ...defined({ epoch }) };
  if (trace !== undefined) await vscode.commands.executeCommand('genenv.openTrace', { ...target, trace });
  else if (task !== undefined) await vscode.commands.executeCommand('genenv.openTask', { ...target, task });
  else await tree.reveal({ ...target, ...defined({ family }) });
}
