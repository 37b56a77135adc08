/** Rows of the Endpoints tree that consist only of words. */
import * as vscode from 'vscode';
import { count } from '../../../shared/text/figures/numbers.ts';
import { icons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import { parts } from '../../../host/trees/words.ts';
import type { Facts } from './embeddedFacts.ts';
import type { User } from '../../../host/servers/usedEndpoints.ts';
import type { EndpointNode } from './endpointNode.ts';

export function fileItem(of: string, id: string): vscode.TreeItem {
  const uri = vscode.Uri.parse(id, true);
  const label = vscode.workspace.asRelativePath(uri);
  return treeItem({
    id: `user ${of} ${id}`,
    label,
    icon: new vscode.ThemeIcon('file-code'),
    spoken: [vscode.l10n.t('Experiment {0}', label)],
    context: 'user',
    command: { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] },
  });
}

/** Of a server without users, until the tree is drawn again. */
export const gone = (id: string): vscode.TreeItem =>
  treeItem({ id: `gone ${id}`, label: id, icon: icons.unfinished, spoken: [id], context: 'gone' });

export function usersText(users: readonly User[]): string {
  const runs = users.filter(({ kind }) => kind === 'run').length;
  const files = users.length - runs;
  return parts(
    runs === 1 ? vscode.l10n.t('1 run') : vscode.l10n.t('{0} runs', count(runs)),
    files === 0 ? '' : files === 1 ? vscode.l10n.t('1 experiment') : vscode.l10n.t('{0} experiments', count(files)),
  );
}

export const branch = (id: string, label: string, description: string, icon: string): vscode.TreeItem =>
  treeItem({
    id,
    label,
    description,
    icon: new vscode.ThemeIcon(icon),
    spoken: [label, description],
    context: 'endpoint.part',
    children: true,
  });

export const facts = (of: string, rows: Facts): EndpointNode[] =>
  rows.map(([name, value]) => ({ kind: 'fact', of, name, value }));
