/** Which files are reward functions, those of the workspace, and the one that a command is about. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';

export const rewardPattern = '**/*.reward.{ts,js,py}';
const elsewhere = '**/{node_modules,.genenv,.git}/**';
const most = 200;

const isReward = ({ scheme, path }: vscode.Uri): boolean => scheme === 'file' && rewardLanguage(path) !== null;

/** The file that was given, the one in front, the only one, else one that a person picks; undefined when none was. */
export async function rewardOf(argument: unknown, title: string): Promise<vscode.Uri | undefined> {
  if (argument instanceof vscode.Uri && isReward(argument)) return argument;
  const front = vscode.window.activeTextEditor?.document.uri;
  if (front !== undefined && isReward(front)) return front;
  const found = await vscode.workspace.findFiles(rewardPattern, elsewhere, most);
  const [only, ...more] = found;
  if (only === undefined) {
    offerNew();
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

/** The other rewards of the workspace. */
export async function otherRewards(reward: vscode.Uri): Promise<vscode.Uri[]> {
  const found = await vscode.workspace.findFiles(rewardPattern, elsewhere, most);
  return found.filter((uri) => uri.toString() !== reward.toString());
}

/** Does not wait: the command ends with nothing done. */
function offerNew(): void {
  const create = vscode.l10n.t('New Reward Function…');
  const text = vscode.l10n.t('There is no reward function in this workspace yet.');
  void vscode.window.showInformationMessage(text, create).then((chosen) => {
    if (chosen === create) void vscode.commands.executeCommand('genenv.newReward');
  });
}
