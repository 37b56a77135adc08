/** *Export Study Report…*: asks where, writes, offers to open. */
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { offerReport } from '../../../host/feedback/offerReport.ts';
import { openStudy } from '../node/openStudy.ts';
import { writeStudyReport } from '../node/writeStudyReport.ts';
import type { StudyNeeds } from './studyPanel.ts';

/** @throws InputError for faults of the study; ReportError and RunError of the report */
export async function exportReport(
  file: vscode.Uri,
  { folders, extensionUri }: Pick<StudyNeeds, 'folders'> & { extensionUri: vscode.Uri },
): Promise<void> {
  const directory = dirname(file.fsPath);
  const study = await openStudy(directory, file.fsPath);
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Where does the study’s report go?'),
    defaultUri: vscode.Uri.file(join(directory, `${basename(file.fsPath, '.json')}.html`)),
    filters: { HTML: ['html'] },
  });
  if (target === undefined) return;
  const store = await folders.of(file).store();
  const dist = pathToFileURL(join(extensionUri.fsPath, 'dist', '/'));
  const path = await writeStudyReport(study, store, { dist, out: target.fsPath, madeAt: Date.now() });
  void offerReport(vscode.Uri.file(path), study.study.name);
}
