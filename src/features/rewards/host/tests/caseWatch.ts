import type * as vscode from 'vscode';

/**
 * Runs cases again when what concerns them is saved, one run after another; a save while one waits asks for no second.
 * @param filesOf paths whose change concerns an item; @param again judges these items
 */
export function watchCases(
  { include }: vscode.TestRunRequest,
  rewards: () => Iterable<vscode.TestItem>,
  filesOf: (item: vscode.TestItem) => readonly string[],
  again: (include: vscode.TestItem[]) => Promise<void>,
): (saved: vscode.Uri) => void {
  const waiting = new Set<string>();
  let last = Promise.resolve();
  const wantedOf = (reward: vscode.TestItem): vscode.TestItem[] =>
    include === undefined ? [reward] : include.filter((item) => item === reward || item.parent === reward);
  return ({ fsPath }) => {
    for (const reward of rewards()) {
      const wanted = wantedOf(reward);
      if (wanted.length === 0 || waiting.has(reward.id) || !filesOf(reward).includes(fsPath)) continue;
      waiting.add(reward.id);
      last = last.then(() => {
        waiting.delete(reward.id);
        return again(wanted);
      });
    }
  };
}
