/** New Study: what is known of it, unsaved, and its form, which asks for the rest. */
import { basename, dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import { savedText } from '../../../host/currentText.ts';
import { findExperiments, isExperiment } from '../../../host/files/experimentFiles.ts';
import { closeBaseWith } from '../../../host/files/studyBase.ts';
import { takenNames, unsavedAt, unsavedFile } from '../../../host/files/unsavedFile.ts';
import { targetOf } from '../../../host/commands/pickRun.ts';
import { unsavedRerun } from '../../../host/commands/rerunFile.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import { InputError } from '../../../launch/inputs/inputError.ts';
import { readManifest } from '../../../runs/store/manifest.ts';
import { sourceOf } from '../../../runs/store/runPaths.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { expectedWork } from '../../../shared/experiment/workload.ts';
import { studyText } from '../core/studyText.ts';

/** Enough for six comparisons at 5 %, Holm's correction included. */
const usualSeeds = 8;
/** Where no experiment tells. */
const usualRollouts = 10_000;

/** @param argument an experiment's file, a run's row, or nothing. @throws SteerError without a folder, RunError */
export async function newStudy(argument: unknown, folders: RunFolders): Promise<vscode.Uri> {
  const base = await baseOf(argument, folders);
  const folder =
    base === null
      ? folders.of(vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/')).workspace.uri
      : vscode.Uri.file(dirname(base.fsPath));
  const experiment = base === null ? null : await read(base);
  const name = base === null ? vscode.l10n.t('study') : basename(base.path, '.genenv.json');
  const uri = await freeFile(folder, name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-') || 'study');
  const text = studyText({
    name,
    base: base === null ? '' : relative(folder.fsPath, base.fsPath),
    ...{ arms: {}, grid: {}, seeds: usualSeeds },
    rollouts:
      experiment === null ? usualRollouts : (experiment.budget.rollouts ?? expectedWork(experiment).rollouts.run),
  });
  const study = await unsavedFile(uri, text);
  if (base?.scheme === 'untitled') closeBaseWith(study, base);
  return study;
}

/** The experiment that is meant: given, in front, or the only one; null where a person has to choose. */
async function baseOf(argument: unknown, folders: RunFolders): Promise<vscode.Uri | null> {
  if (argument instanceof vscode.Uri && isExperiment(argument)) return argument;
  const run = targetOf(argument)?.run;
  if (run !== undefined) return experimentOfRun(run, folders);
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  if (shown && isExperiment(input.uri)) return input.uri;
  const found = await findExperiments();
  return found.length === 1 ? (found[0] ?? null) : null;
}

/**
 * The file that it was started from, where that still says the same; else a new one with the run's settings, which is
 * written when the study is.
 */
async function experimentOfRun(dir: string, folders: RunFolders): Promise<vscode.Uri> {
  const manifest = await readManifest(dir);
  const source = sourceOf(dir, manifest);
  const file = source === null ? null : vscode.Uri.file(source);
  const now = file === null || !isExperiment(file) ? null : await read(file);
  const same = now !== null && JSON.stringify(now) === JSON.stringify(manifest.experiment);
  return file !== null && same ? file : unsavedRerun({ folders }, dir);
}

/** Null for one that is gone or has errors, which its own form tells. */
async function read(uri: vscode.Uri): Promise<Experiment | null> {
  try {
    const text = unsavedAt(uri.fsPath)?.getText() ?? (await savedText(uri));
    const parsed = parseExperiment(text, basename(uri.path));
    return 'experiment' in parsed ? parsed.experiment : null;
  } catch (error) {
    if (error instanceof vscode.FileSystemError || error instanceof InputError) return null;
    throw error;
  }
}

async function freeFile(folder: vscode.Uri, stem: string): Promise<vscode.Uri> {
  const taken = await takenNames(folder);
  let number = 1;
  const named = (): string => `${stem}${number === 1 ? '' : `-${number}`}.study.json`;
  while (taken.has(named())) number += 1;
  return vscode.Uri.joinPath(folder, named());
}
