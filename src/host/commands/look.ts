/** Commands that show something of a run: its folder, its experiment, the log. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { readManifest } from '../../runs/store/manifest.ts';
import { runPaths, sourceOf } from '../../runs/store/runPaths.ts';
import type { Commands } from './context.ts';
import { pickRun } from './pickRun.ts';

const any = (title: string) => ({ title, fits: () => true, none: vscode.l10n.t('There are no runs yet.') });

export const lookCommands = {
  openRunFolder: {
    failed: () => vscode.l10n.t('The folder was not opened'),
    async run(context, argument) {
      const run = await pickRun(context, argument, any(vscode.l10n.t('Which run’s folder to open?')));
      if (run === undefined) return;
      await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(runPaths(run.dir).manifest));
    },
  },
  openExperiment: {
    failed: () => vscode.l10n.t('The experiment was not opened'),
    async run(context, argument) {
      const run = await pickRun(context, argument, any(vscode.l10n.t('Which run’s experiment to open?')));
      if (run === undefined) return;
      const source = sourceOf(run.dir, await readManifest(run.dir));
      if (source !== null && existsSync(source)) {
        await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(source));
        return;
      }
      const rerun = vscode.l10n.t('Write It Again');
      const text =
        source === null
          ? vscode.l10n.t('“{0}” was not started from a file.', run.head.name)
          : vscode.l10n.t('The file “{0}” that “{1}” was started from is gone.', basename(source), run.head.name);
      const chosen = await vscode.window.showInformationMessage(text, rerun);
      if (chosen === rerun) await vscode.commands.executeCommand('genenv.rerunRun', { run: run.dir });
    },
  },
  showLog: {
    failed: () => vscode.l10n.t('The log was not shown'),
    run({ log }) {
      log.show();
      return Promise.resolve();
    },
  },
  openWalkthrough: {
    failed: () => vscode.l10n.t('The walkthrough was not opened'),
    async run({ extensionId }) {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#start`, false);
    },
  },
  refreshRuns: {
    failed: () => vscode.l10n.t('The runs were not refreshed'),
    run: ({ catalog }) => catalog.refresh(),
  },
} satisfies Commands;
