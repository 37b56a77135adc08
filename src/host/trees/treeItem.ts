import * as vscode from 'vscode';

/** The content of a tree row. */
export interface Row {
  id: string;
  label: string;
  description?: string;
  icon: vscode.ThemeIcon;
  /** The row read aloud: the parts of one sentence. */
  spoken: readonly (string | null)[];
  /** Context value for menus. */
  context: string;
  children?: boolean;
  command?: vscode.Command;
}

export function treeItem({ id, label, description, icon, spoken, context, children, command }: Row): vscode.TreeItem {
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, children === true ? Collapsed : None);
  item.id = id;
  if (description !== undefined) item.description = description;
  item.iconPath = icon;
  item.contextValue = context;
  item.accessibilityInformation = { label: spoken.filter((part) => part !== null && part !== '').join(', ') };
  if (command !== undefined) item.command = command;
  return item;
}
