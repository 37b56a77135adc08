import * as vscode from 'vscode';
import { icons } from './icons.ts';
import { treeItem } from './treeItem.ts';

/** A row with one fact: a name and its value. */
export const factItem = (id: string, name: string, value: string): vscode.TreeItem =>
  treeItem({
    id,
    label: name,
    description: value,
    icon: new vscode.ThemeIcon('dash'),
    spoken: [name, value],
    context: 'fact',
  });

/** A row with the reason why there are no further rows. */
export function failureItem(id: string, error: Error): vscode.TreeItem {
  const label = vscode.l10n.t('Cannot be read');
  const item = treeItem({
    id,
    label,
    description: error.message,
    icon: icons.problem,
    spoken: [label, error.message],
    context: 'failure',
  });
  item.tooltip = error.message;
  return item;
}
