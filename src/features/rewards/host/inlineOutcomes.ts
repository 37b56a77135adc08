/** Verdicts beside the line of the reward that gave them, until the file changes or others are found. */
import * as vscode from 'vscode';
import { judgedWord } from '../../../host/documents/layout/verdictWords.ts';
import { number } from '../../../shared/text/figures/numbers.ts';
import type { Verdict } from '../../../shared/records/trace.ts';
import { returnLine } from '../core/returnLine.ts';
import type { Judged } from './scoreLines.ts';

export class InlineOutcomes implements vscode.Disposable {
  readonly #type = vscode.window.createTextEditorDecorationType({
    after: { color: new vscode.ThemeColor('editorCodeLens.foreground'), margin: '0 0 0 2em' },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #subscriptions: vscode.Disposable;
  #shown: { file: string; judged: readonly Judged[] } | null = null;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      this.#type,
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
      // Another function may judge otherwise.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && document.uri.toString() === this.#shown?.file) this.clear();
      }),
    );
  }

  show(reward: vscode.Uri, judged: readonly Judged[]): void {
    this.#shown = { file: reward.toString(), judged };
    this.#draw();
  }

  clear(): void {
    this.#shown = null;
    this.#draw();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #draw(): void {
    const shown = this.#shown;
    for (const editor of vscode.window.visibleTextEditors) {
      const own = shown !== null && editor.document.uri.toString() === shown.file;
      editor.setDecorations(this.#type, own ? [besideReturn(editor.document, shown.judged)] : []);
    }
  }
}

function besideReturn(document: vscode.TextDocument, judged: readonly Judged[]): vscode.DecorationOptions {
  const { end } = document.lineAt(returnLine(document.getText())).range;
  const hover = new vscode.MarkdownString();
  for (const one of judged) hover.appendText(`${one.name}: ${sentence(one)}\n`);
  const [only] = judged;
  const solved = judged.filter(({ outcome }) => outcome.verdict.success).length;
  const text =
    judged.length === 1 && only !== undefined
      ? sentence(only)
      : vscode.l10n.t('{0} of {1} attempts solved', solved, judged.length);
  return { range: new vscode.Range(end, end), hoverMessage: hover, renderOptions: { after: { contentText: text } } };
}

const sameVerdict = (a: Verdict, b: Verdict): boolean => judgedWord(a) === judgedWord(b) && a.reward === b.reward;

function sentence({ outcome: { verdict, fault }, before }: Judged): string {
  const now =
    fault === null
      ? vscode.l10n.t('{0}, reward {1}', judgedWord(verdict), number(verdict.reward))
      : vscode.l10n.t('no verdict, {0}', fault.message);
  // The recorded verdict would take room beside the code for nothing where it is the same.
  return before === null || sameVerdict(before, verdict)
    ? now
    : vscode.l10n.t('{0} (recorded: {1})', now, judgedWord(before));
}
