import type * as vscode from 'vscode';
import type { CaseItems } from './caseItems.ts';

/** The cases that a request is about, by the item of their program: all when it names none. */
export async function chosenCases<Line extends { line: number }>(
  { items: programs }: Pick<vscode.TestController, 'items'>,
  items: CaseItems<Line>,
  { include, exclude = [] }: vscode.TestRunRequest,
): Promise<Map<vscode.TestItem, vscode.TestItem[]>> {
  const chosen = new Map<vscode.TestItem, vscode.TestItem[]>();
  for (const item of include ?? [...programs].map(([, program]) => program)) {
    const program = item.parent ?? item;
    // Items that were never expanded are not read yet.
    if (item === program) await items.read(program);
    const cases = item === program ? [...program.children].map(([, one]) => one) : [item];
    const wanted = cases.filter((one) => !exclude.includes(one) && !exclude.includes(program));
    chosen.set(program, [...new Set([...(chosen.get(program) ?? []), ...wanted])]);
  }
  return chosen;
}
