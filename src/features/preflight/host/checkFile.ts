/** The checks of an experiment file's current text, unsaved changes included. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { done, skipped } from '../node/check.ts';
import { preflight } from '../node/preflight.ts';
import { checkIds } from '../contract.ts';
import { currentText } from '../../../host/currentText.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import type { Checks } from './session.ts';

export interface CheckNeeds {
  /** The folder of built files. */
  dist: URL;
  folders: Pick<RunFolders, 'of'>;
  clock: Clock;
  keys: Keys;
  log: vscode.LogOutputChannel;
}

/** @throws RunError `not-found` when no folder is open */
export async function* checkFile(file: vscode.Uri, signal: AbortSignal, needs: CheckNeeds): Checks {
  const { dist, clock, keys, log } = needs;
  const { root } = needs.folders.of(file);
  const text = await textOf(file);
  if (text instanceof Error) {
    const name = vscode.workspace.asRelativePath(file);
    const problems = text instanceof InputError ? text.problems : [];
    const message = problems[0]?.message ?? vscode.l10n.t('{0} cannot be read: {1}', name, text.message);
    const own = { severity: 'error' as const, message, remedy: '', field: '', file: file.fsPath, line: 1, column: 1 };
    yield done('experiment', message, problems.length > 0 ? problems : [own]);
    for (const id of checkIds.slice(1)) yield skipped(id, vscode.l10n.t('Needs an experiment that can be read.'));
    yield { experiment: null, work: null };
    return;
  }
  const directory = dirname(file.fsPath);
  yield* preflight({ file: file.fsPath, text, directory, root, dist, clock, keys, log, signal });
}

async function textOf(file: vscode.Uri): Promise<string | Error> {
  try {
    return await currentText(file);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
