/** The experiment that a study names may be a document that is not written yet: it is saved with its study. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as vscode from 'vscode';
import { isObject } from '../../shared/experiment/resolve.ts';
import { parseOrUndefined } from '../../shared/json.ts';
import { giveUp, savedFile, unsavedAt } from './unsavedFile.ts';

/** Saves the base of a study that is saved itself, or is about to be. */
export async function saveBase(study: vscode.TextDocument): Promise<void> {
  const written = parseOrUndefined(study.getText());
  const named = isObject(written) ? written['base'] : undefined;
  if (typeof named !== 'string' || named === '') return;
  const base = unsavedAt(resolve(dirname(study.uri.fsPath), named));
  if (base !== undefined) await vscode.workspace.save(base.uri);
}

/**
 * Closes the base that was made for a new study once that study is given up. One that a person has changed stays, and
 * so does one that the study was saved with.
 */
export function closeBaseWith(study: vscode.Uri, base: vscode.Uri): void {
  const made = unsavedAt(base.fsPath)?.getText();
  const watching = vscode.workspace.onDidCloseTextDocument(async (closed) => {
    // Another language is the end of a document, too.
    if (closed.uri.toString() !== study.toString() || unsavedAt(study.fsPath) !== undefined) return;
    watching.dispose();
    if (unsavedAt(base.fsPath)?.getText() === made && !existsSync(study.fsPath)) await giveUp(base);
  });
}

/** The study's file, for what reads files; with its base, an unsaved one is saved first. Undefined where the person gave up. */
export async function savedStudy(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const study = unsavedAt(uri.fsPath);
  if (study !== undefined) await saveBase(study);
  return savedFile(uri);
}
