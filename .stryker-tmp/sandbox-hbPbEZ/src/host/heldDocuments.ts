/** Documents of a scheme whose content is held for as long as they are open: what made it may take long to make again. */
import * as vscode from 'vscode';

export class HeldDocuments<T extends { text: string }> implements vscode.TextDocumentContentProvider {
  readonly #held = new Map<string, T>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #gone: () => string;
  readonly registration: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  /** @param gone what a document says whose content is not held any more */
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

  /** One that is open already shows what there is now. */
  async show(uri: vscode.Uri, content: T): Promise<void> {
    this.#held.set(uri.toString(), content);
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.of(uri)?.text ?? this.#gone();
  }
}
