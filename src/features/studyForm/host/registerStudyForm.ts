/** The study form, and the command that makes a study in it. */
import * as vscode from 'vscode';
import type { Failures } from '../../../host/feedback/failures.ts';
import { openStudyForm, studyFormViewType } from '../../../host/files/studyFiles.ts';
import { once } from '../../../host/once.ts';
import type { RunFolders } from '../../../host/runs/runFolders.ts';
import type { StudyEditorDeps } from './studyEditor.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface StudyFormNeeds extends Omit<StudyEditorDeps, 'extensionUri'> {
  folders: RunFolders;
  failures: Failures;
}

export function registerStudyForm(
  { subscriptions, extensionUri }: vscode.ExtensionContext,
  needs: StudyFormNeeds,
): void {
  // Loaded with the first study that is opened.
  const editors = once(async () => new (await import('./studyEditor.ts')).StudyEditors({ ...needs, extensionUri }));
  subscriptions.push(
    vscode.window.registerCustomEditorProvider(studyFormViewType, {
      resolveCustomTextEditor: async (document, panel) => (await editors()).resolveCustomTextEditor(document, panel),
    }),
    registerCommand('genenv.newStudy', (argument: unknown) =>
      needs.failures.guard(vscode.l10n.t('No study was made'), async () => {
        const { newStudy } = await import('./newStudy.ts');
        await openStudyForm(await newStudy(argument, needs.folders));
      }),
    ),
  );
}
