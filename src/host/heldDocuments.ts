/** Documents of a scheme whose content is kept while they are open, since computing it again may be slow. */
import * as vscode from 'vscode';

export class HeldDocuments<T extends { text: string }> implements vscode.TextDocumentContentProvider {
  readonly #held = new Map<string, T>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #gone: () => string;
  readonly registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  /** @param gone a document's text after its content was dropped */
  constructor(scheme: string, gone: () => string) {
    this.#gone = gone;
    this.registration = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#held.delete(uri.toString())),
    );
  }

  of(uri: vscode.Uri): T | undefined {
    return this.#held.get(uri.toString());
  }

  /** An open one is updated. */
  async show(uri: vscode.Uri, content: T): Promise<void> {
    this.#held.set(uri.toString(), content);
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.of(uri)?.text ?? this.#gone();
  }
}
