/** New Curriculum…: language, name, file, with its types and worked cases beside it. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { casesFile } from '../../../shared/rewards/cases.ts';
import { askNewFile, copyTypes } from '../../../host/newFile.ts';
import { curriculumCases, curriculumTemplates } from './curriculumTemplates.ts';

/** @param argument the folder it is written into, where it was called on one; @returns undefined when it was given up */
export async function newCurriculum(argument: unknown, extensionUri: vscode.Uri): Promise<vscode.Uri | undefined> {
  const asked = await askNewFile(argument, {
    title: vscode.l10n.t('New curriculum'),
    templates: curriculumTemplates,
    beside: (file) => [basename(casesFile(file))],
  });
  if (asked === undefined) return undefined;
  const { template, uri } = asked;
  await copyTypes(vscode.Uri.joinPath(extensionUri, 'media', 'curricula'), template.types, asked);
  const encoder = new TextEncoder();
  await vscode.workspace.fs.writeFile(uri.with({ path: casesFile(uri.path) }), encoder.encode(curriculumCases));
  await vscode.workspace.fs.writeFile(uri, encoder.encode(template.text));
  return uri;
}
