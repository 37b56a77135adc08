/** The editor's requests on an open task or trace, answered from its layout. */
import * as vscode from 'vscode';
import { once } from '../once.ts';
import type { LaidOut } from './layout/page.ts';
import type { RecordFiles } from './recordFiles.ts';

/**
 * @param files by scheme
 * @param fail reports that a document has no marks
 */
export function registerRecordProviders(
  extensionUri: vscode.Uri,
  files: Readonly<Record<string, RecordFiles>>,
  fail: (error: unknown) => void,
): vscode.Disposable {
  const selector = Object.keys(files).map((scheme) => ({ scheme }));
  // Loaded with the first document that is opened.
  const answers = once(() => import('./recordAnswers.ts'));
  const layoutOf = async (document: vscode.TextDocument): Promise<LaidOut | null> =>
    (await files[document.uri.scheme]?.layoutOf(document)) ?? null;
  const answered = async <T>(
    document: vscode.TextDocument,
    answer: (laidOut: LaidOut) => Promise<T>,
  ): Promise<T | null> => {
    const laidOut = await layoutOf(document);
    return laidOut === null ? null : answer(laidOut);
  };
  const changed = new vscode.EventEmitter<void>();
  const marks = once(async () => {
    const { VerdictMarks, TextMarks } = await answers();
    return [new VerdictMarks(extensionUri), new TextMarks()];
  });
  const drawAll = async (): Promise<void> => {
    for (const editor of vscode.window.visibleTextEditors) {
      const laidOut = await layoutOf(editor.document);
      if (laidOut !== null) for (const one of await marks()) one.draw(editor, laidOut);
    }
  };
  const draw = (): void => void drawAll().catch(fail);
  // Tabs that came back with the window were there before.
  draw();
  return vscode.Disposable.from(
    changed,
    ...Object.values(files).map((one) =>
      one.onDidLay(() => {
        changed.fire();
        draw();
      }),
    ),
    vscode.window.onDidChangeVisibleTextEditors(() => draw()),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme in files) draw();
    }),
    vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document) => answered(document, async (laidOut) => (await answers()).symbolsOf(laidOut)),
    }),
    vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document) => answered(document, async (laidOut) => (await answers()).foldsOf(laidOut)),
    }),
    vscode.languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: (document) =>
        answered(document, async (laidOut) => (await answers()).linksOf(laidOut, document.uri)),
    }),
    vscode.languages.registerHoverProvider(selector, {
      provideHover: (document, position) =>
        answered(document, async (laidOut) => (await answers()).hoverAt(laidOut, position)),
    }),
    vscode.languages.registerInlayHintsProvider(selector, {
      onDidChangeInlayHints: changed.event,
      provideInlayHints: (document, range) =>
        answered(document, async (laidOut) => (await answers()).hintsOf(laidOut, range)),
    }),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: changed.event,
      provideCodeLenses: (document) =>
        answered(document, async (laidOut) => (await answers()).lensesOf(laidOut, document.uri)),
    }),
  );
}
