/** Rules above sections, as wide as the editor is, and the words in which answer and gold differ. */
import * as vscode from 'vscode';
import { marksOf, type LaidOut } from './layout/page.ts';

export class TextMarks implements vscode.Disposable {
  readonly #rule = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor('editorLineNumber.foreground'),
    borderStyle: 'solid',
    borderWidth: '1px 0 0 0',
  });
  // As in the diff editor, and told apart without colours, too.
  readonly #differs = {
    extra: vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
      textDecoration: 'underline',
    }),
    missing: vscode.window.createTextEditorDecorationType({
      backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
      textDecoration: 'underline dotted',
    }),
  };

  draw(editor: vscode.TextEditor, laidOut: LaidOut): void {
    const sections = laidOut.parts.filter(({ kind }) => kind === 'section');
    editor.setDecorations(
      this.#rule,
      sections.map(({ first }) => new vscode.Range(first, 0, first, 0)),
    );
    const differing = marksOf(laidOut, 'differs');
    for (const side of ['extra', 'missing'] as const) {
      const own = differing.filter(({ means }) => means.side === side);
      editor.setDecorations(
        this.#differs[side],
        own.map(({ line, start, end }) => new vscode.Range(line, start, line, end)),
      );
    }
  }

  dispose(): void {
    for (const type of [this.#rule, ...Object.values(this.#differs)]) type.dispose();
  }
}
