/** Events of a form that is a view of a text document. */
import * as vscode from 'vscode';

/** Longest time that a save waits for typed text, in milliseconds. */
const patience = 800;

export interface Form {
  /** The page is loaded and has received the document. */
  isOpen(): boolean;
  /** Writes what is typed on the page into the document. */
  takeTyped(signal: AbortSignal): Promise<void>;
  /** A hidden page is gone; it says hello again when it is shown. */
  hidden(): void;
}

export function formEvents(document: vscode.TextDocument, panel: vscode.WebviewPanel, form: Form): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document === document && form.isOpen()) event.waitUntil(form.takeTyped(AbortSignal.timeout(patience)));
    }),
    panel.onDidChangeViewState(() => {
      if (!panel.visible) form.hidden();
    }),
  );
}
