/** A turn's text in an editor of its own, with buttons above it that take it or give it up. */
import * as vscode from 'vscode';

/** @returns the edited text; null where the user gave it up or closed the editor */
export async function editTurn(text: string): Promise<string | null> {
  // Markdown wraps long lines, and a named language is not guessed, which would close and open the document.
  const { uri } = await vscode.workspace.openTextDocument({ content: text, language: 'markdown' });
  const isIt = (other: vscode.Uri): boolean => other.toString() === uri.toString();
  const open = (): vscode.TextDocument | undefined => vscode.workspace.textDocuments.find((one) => isIt(one.uri));
  const answered = Promise.withResolvers<'take' | 'leave'>();
  const take = vscode.l10n.t('Fork with This Text');
  const leave = vscode.l10n.t('Cancel');
  const [takes, leaves] = [`genenv.takeTurn ${uri.path}`, `genenv.leaveTurn ${uri.path}`];
  const top = new vscode.Range(0, 0, 0, 0);
  const own = vscode.Disposable.from(
    vscode.commands.registerCommand(takes, () => answered.resolve('take')),
    vscode.commands.registerCommand(leaves, () => answered.resolve('leave')),
    vscode.languages.registerCodeLensProvider(
      { scheme: uri.scheme },
      {
        provideCodeLenses: (document) =>
          isIt(document.uri)
            ? [
                new vscode.CodeLens(top, { command: takes, title: take }),
                new vscode.CodeLens(top, { command: leaves, title: leave }),
              ]
            : [],
      },
    ),
    vscode.window.tabGroups.onDidChangeTabs((tabs) => {
      if (tabs.closed.some(({ input }) => input instanceof vscode.TabInputText && isIt(input.uri)))
        answered.resolve('leave');
    }),
  );
  try {
    await vscode.window.showTextDocument(uri, { preview: false });
    // For editors without lenses. It hides after some seconds and may be closed: the text stays.
    void vscode.window
      .showInformationMessage(vscode.l10n.t('Edit the turn, then fork.'), take, leave)
      .then((button) => {
        if (button !== undefined) answered.resolve(button === take ? 'take' : 'leave');
      });
    const edited = (await answered.promise) === 'take' ? (open()?.getText() ?? null) : null;
    if (open() !== undefined) {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    return edited;
  } finally {
    own.dispose();
  }
}
