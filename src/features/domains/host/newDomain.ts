/** New Domain…: kind of tasks, language, name, file, with its types and worked cases beside it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { casesFile } from '../../../shared/rewards/cases.ts';
import { askNewFile, copyTypes } from '../../../host/newFile.ts';
import { domainTemplates, taskKinds, type DomainTemplate } from './domainTemplates.ts';

/** @param argument the folder it is written into, where it was called on one; @returns undefined when it was given up */
export async function writeDomain(extensionUri: vscode.Uri, argument: unknown): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('New domain');
  const labels: Record<DomainTemplate['tasks'], string> = {
    questions: vscode.l10n.t('Questions with Answers'),
    tools: vscode.l10n.t('Tool Calls'),
    code: vscode.l10n.t('Code with Tests'),
    game: vscode.l10n.t('Game of Several Turns'),
  };
  const details: Record<DomainTemplate['tasks'], string> = {
    questions: vscode.l10n.t('Story problems whose answer is computed.'),
    tools: vscode.l10n.t('A request, and the one call that it asks for.'),
    code: vscode.l10n.t('Functions that the agent writes, run against tests.'),
    game: vscode.l10n.t('A game that is set up, played turn by turn, won or lost.'),
  };
  const kinds = taskKinds.map((tasks) => ({ label: labels[tasks], detail: details[tasks], tasks }));
  const kind = await vscode.window.showQuickPick(kinds, {
    ignoreFocusOut: true,
    title,
    placeHolder: vscode.l10n.t('What tasks?'),
  });
  if (kind === undefined) return undefined;
  const templates = domainTemplates.filter(({ tasks }) => tasks === kind.tasks);
  const asked = await askNewFile(argument, { title, templates, beside: (file) => [basename(casesFile(file))] });
  if (asked === undefined) return undefined;
  const { template, uri } = asked;
  await copyTypes(vscode.Uri.joinPath(extensionUri, 'media', 'domains'), template.types, asked);
  const encoder = new TextEncoder();
  await vscode.workspace.fs.writeFile(uri.with({ path: casesFile(uri.path) }), encoder.encode(template.cases));
  await vscode.workspace.fs.writeFile(uri, encoder.encode(template.text));
  return uri;
}
