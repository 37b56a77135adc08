/** Programs of a person's own, rewards and domains: those of the workspace, and the one that a command is about. */
import { basename } from 'node:path';
import * as vscode from 'vscode';

const elsewhere = '**/{node_modules,.genenv,.git}/**';
const most = 200;

export interface ProgramKind {
  /** Glob of their names. */
  pattern: string;
  isOne(uri: vscode.Uri): boolean;
  /** Which of those found are on offer; all of them when absent. */
  fits?(uri: vscode.Uri): Promise<boolean>;
  /** The message where there is none, the label of the button that makes one, and its command. */
  none: string;
  create: string;
  command: string;
}

export const findPrograms = (pattern: string): Thenable<vscode.Uri[]> =>
  vscode.workspace.findFiles(pattern, elsewhere, most);

/** The file that was given, the one in front, the only one, else one that a person picks; undefined when none was. */
export async function pickProgram(
  argument: unknown,
  title: string,
  kind: ProgramKind,
): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri && kind.isOne(argument)) return argument;
  const front = vscode.window.activeTextEditor?.document.uri ?? formUri();
  if (front !== undefined && kind.isOne(front)) return front;
  const found = await fitting(kind);
  const [only, ...more] = found;
  if (only === undefined) {
    offerNew(kind);
    return undefined;
  }
  if (more.length === 0) return only;
  const visible = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
  const items = found
    .map((uri) => ({
      label: basename(uri.path),
      description: vscode.workspace.asRelativePath(uri),
      seen: visible.has(uri.toString()),
      uri,
    }))
    .sort((a, b) => Number(b.seen) - Number(a.seen) || a.description.localeCompare(b.description));
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.uri;
}

/** A file that is open as a form has no text editor. */
function formUri(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

async function fitting(kind: ProgramKind): Promise<vscode.Uri[]> {
  const found = await findPrograms(kind.pattern);
  const all = await Promise.all(found.map(async (uri) => ((await kind.fits?.(uri)) === false ? [] : [uri])));
  return all.flat();
}

/** Does not wait: the command ends with nothing done. */
function offerNew({ none, create, command }: ProgramKind): void {
  void vscode.window.showInformationMessage(none, create).then((chosen) => {
    if (chosen === create) void vscode.commands.executeCommand(command);
  });
}
