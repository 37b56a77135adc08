/** A turn's text in an editor of its own, with a notification that takes it or gives it up. */
import * as vscode from 'vscode';

/** @returns the edited text; null where the user gave it up or closed the editor */
export async function editTurn(text: string): Promise<string | null> {
  const { uri } = await vscode.workspace.openTextDocument({ content: text });
  const isIt = (other: vscode.Uri): boolean => other.toString() === uri.toString();
  // Found anew each time: the editor guesses its language, which closes and opens the document.
  const open = (): vscode.TextDocument | undefined => vscode.workspace.textDocuments.find((one) => isIt(one.uri));
  await vscode.window.showTextDocument(uri, { preview: false });
  const closed = Promise.withResolvers<undefined>();
  const watching = vscode.window.tabGroups.onDidChangeTabs((tabs) => {
    if (tabs.closed.some(({ input }) => input instanceof vscode.TabInputText && isIt(input.uri)))
      closed.resolve(undefined);
  });
  try {
    const take = vscode.l10n.t('Fork with This Text');
    const asked = vscode.window.showInformationMessage(
      vscode.l10n.t('Edit the turn, then fork.'),
      take,
      vscode.l10n.t('Cancel'),
    );
    const edited = (await Promise.race([asked, closed.promise])) === take ? (open()?.getText() ?? null) : null;
    if (open() !== undefined) {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    return edited;
  } finally {
    watching.dispose();
  }
}
