/** Verdicts beside the text and in the overview ruler: distinguished by shape and place, not by colour alone. */
import * as vscode from 'vscode';
import { marksOf, type LaidOut } from './layout/page.ts';
import { verdictWord, verdictWords, type VerdictWord } from '../../shared/records/verdict.ts';

const looks: Record<VerdictWord, { colour: string; lane: vscode.OverviewRulerLane }> = {
  solved: { colour: 'genenv.good', lane: vscode.OverviewRulerLane.Right },
  unsolved: { colour: 'list.errorForeground', lane: vscode.OverviewRulerLane.Left },
  unjudged: { colour: 'list.warningForeground', lane: vscode.OverviewRulerLane.Center },
};

export class VerdictMarks implements vscode.Disposable {
  readonly #types: Record<VerdictWord, vscode.TextEditorDecorationType>;

  constructor(extensionUri: vscode.Uri) {
    const type = (side: VerdictWord): vscode.TextEditorDecorationType => {
      const { colour, lane } = looks[side];
      const icon = (theme: string): vscode.Uri =>
        vscode.Uri.joinPath(extensionUri, 'media', 'icons', `verdict-${side}-${theme}.svg`);
      return vscode.window.createTextEditorDecorationType({
        overviewRulerColor: new vscode.ThemeColor(colour),
        overviewRulerLane: lane,
        gutterIconSize: 'contain',
        light: { gutterIconPath: icon('light') },
        dark: { gutterIconPath: icon('dark') },
      });
    };
    this.#types = { solved: type('solved'), unsolved: type('unsolved'), unjudged: type('unjudged') };
  }

  /** Marks every verdict of a document in an editor that shows it. */
  draw(editor: vscode.TextEditor, laidOut: LaidOut): void {
    const verdicts = marksOf(laidOut, 'verdict');
    for (const side of verdictWords) {
      const own = verdicts.filter(({ means }) => verdictWord(means.verdict) === side);
      editor.setDecorations(
        this.#types[side],
        own.map(({ line }) => new vscode.Range(line, 0, line, 0)),
      );
    }
  }

  dispose(): void {
    for (const type of Object.values(this.#types)) type.dispose();
  }
}
