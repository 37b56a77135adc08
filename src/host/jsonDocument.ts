/** A JSON file open in the editor: its parsed text, and edits of its fields. */
import * as vscode from 'vscode';
import { InTurn } from '../shared/inTurn.ts';
import { editText, smallestChange, type JsonEdit } from '../shared/experiment/text/textEdit.ts';

export class JsonDocument<Reading> {
  readonly document: vscode.TextDocument;
  readonly #readText: (text: string, file: string) => Reading;
  #read: { version: number; reading: Reading } | null = null;
  /** Edits one after another: each is worked out on the text that the one before it left. */
  readonly #inTurn = new InTurn();

  constructor(document: vscode.TextDocument, read: (text: string, file: string) => Reading) {
    this.document = document;
    this.#readText = read;
  }

  /** Parsed once for each version of the text. */
  get reading(): Reading {
    const { version, uri } = this.document;
    if (this.#read?.version !== version) {
      this.#read = { version, reading: this.#readText(this.document.getText(), uri.fsPath) };
    }
    return this.#read.reading;
  }

  /** Changes fields in the text; one step of undo. @throws UnreadableText */
  edit(edits: readonly JsonEdit[]): Promise<void> {
    return this.#inTurn.run(() => this.#edit(edits));
  }

  /** The equivalent text edits; none when nothing changes. @throws UnreadableText */
  textEdits(edits: readonly JsonEdit[]): vscode.TextEdit[] {
    const before = this.document.getText();
    const change = smallestChange(before, editText(before, edits));
    if (change === null) return [];
    const from = this.document.positionAt(change.offset);
    const to = this.document.positionAt(change.offset + change.length);
    return [vscode.TextEdit.replace(new vscode.Range(from, to), change.text)];
  }

  async #edit(edits: readonly JsonEdit[]): Promise<void> {
    const changes = this.textEdits(edits);
    if (changes.length === 0) return;
    const edit = new vscode.WorkspaceEdit();
    edit.set(this.document.uri, changes);
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw new Error(vscode.l10n.t('The editor did not take the change; the file may be read-only.'));
    }
  }
}
