import type * as vscode from 'vscode';
import { InTurn } from '../../shared/inTurn.ts';

/**
 * Runs cases again when a file they depend on is saved, one run after another; saves while one waits are merged.
 * @param filesOf paths that affect an item; @param again judges these items
 */
export function watchCases(
  { include }: vscode.TestRunRequest,
  programs: () => Iterable<vscode.TestItem>,
  filesOf: (item: vscode.TestItem) => readonly string[],
  again: (include: vscode.TestItem[]) => Promise<void>,
): (saved: vscode.Uri) => void {
  const waiting = new Set<string>();
  const inTurn = new InTurn();
  const wantedOf = (program: vscode.TestItem): vscode.TestItem[] =>
    include === undefined ? [program] : include.filter((item) => item === program || item.parent === program);
  return ({ fsPath }) => {
    for (const program of programs()) {
      const wanted = wantedOf(program);
      if (wanted.length === 0 || waiting.has(program.id) || !filesOf(program).includes(fsPath)) continue;
      waiting.add(program.id);
      void inTurn.run(() => {
        waiting.delete(program.id);
        return again(wanted);
      });
    }
  };
}
