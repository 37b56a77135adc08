import * as vscode from 'vscode';

/** What a row of a tree shows. */
export interface Row {
  id: string;
  label: string;
  description?: string;
  icon: vscode.ThemeIcon;
  /** The row read aloud: the parts of one sentence. */
  spoken: readonly (string | null)[];
  /** What menus ask for. */
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
