import type * as vscode from 'vscode';
import type { CaseItems } from './caseItems.ts';

/** The cases that a request is about, by the item of their reward: all when it names none. */
export async function chosenCases(
  { items: rewards }: Pick<vscode.TestController, 'items'>,
  items: CaseItems,
  { include, exclude = [] }: vscode.TestRunRequest,
): Promise<Map<vscode.TestItem, vscode.TestItem[]>> {
  const chosen = new Map<vscode.TestItem, vscode.TestItem[]>();
  for (const item of include ?? [...rewards].map(([, reward]) => reward)) {
    const reward = item.parent ?? item;
    // What nobody has looked at yet is not read yet.
    if (item === reward) await items.read(reward);
    const cases = item === reward ? [...reward.children].map(([, one]) => one) : [item];
    const wanted = cases.filter((one) => !exclude.includes(one) && !exclude.includes(reward));
    chosen.set(reward, [...new Set([...(chosen.get(reward) ?? []), ...wanted])]);
  }
  return chosen;
}
