/** Which files are studies, and the one in front. */
import * as vscode from 'vscode';

export const studyPattern = '**/*.study.json';
/** The custom editor of studies, as the manifest names it. */
export const studyFormViewType = 'genenv.studyForm';

export const isStudy = ({ path }: vscode.Uri): boolean => path.endsWith('.study.json');

/** The study of the active tab, in its form or as text. */
export function studyInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
  return shown && isStudy(input.uri) ? input.uri : undefined;
}

/** Opens its form in the editor. */
export const openStudyForm = (uri: vscode.Uri): Thenable<unknown> =>
  vscode.commands.executeCommand('vscode.openWith', uri, studyFormViewType);
