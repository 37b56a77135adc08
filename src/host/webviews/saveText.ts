/** Writes a text that a page made (a table, a drawing) where the person says. */
import * as vscode from 'vscode';

const kinds = {
  csv: () => ({ [vscode.l10n.t('Comma-separated values')]: ['csv'] }),
  svg: () => ({ [vscode.l10n.t('Scalable vector graphics')]: ['svg'] }),
} as const;

export interface TextFile {
  /** Suggested name, without folder and ending. */
  name: string;
  kind: keyof typeof kinds;
  text: string;
}

/** False when the person thought better of it. */
export async function saveText({ name, kind, text }: TextFile): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const safe = name.replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
  const uri = await vscode.window.showSaveDialog({
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, `${safe}.${kind}`) }),
    filters: kinds[kind](),
  });
  if (uri === undefined) return false;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  void offerToOpen(uri);
  return true;
}

async function offerToOpen(uri: vscode.Uri): Promise<void> {
  const open = vscode.l10n.t('Open');
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('{0} was saved.', name), open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', uri);
}
