/** New Domain…: language, name, file, with its types beside it. */
import * as vscode from 'vscode';

import { askNewFile, copyTypes } from '../../../host/newFile.ts';
import { domainTemplates } from './domainTemplates.ts';

/** @param argument the folder it is written into, where it was called on one; @returns undefined when it was given up */
export async function writeDomain(extensionUri: vscode.Uri, argument: unknown): Promise<vscode.Uri | undefined> {
  const asked = await askNewFile(argument, { title: vscode.l10n.t('New domain'), templates: domainTemplates });
  if (asked === undefined) return undefined;
  await copyTypes(vscode.Uri.joinPath(extensionUri, 'media', 'domains'), asked.template.types, asked);
  await vscode.workspace.fs.writeFile(asked.uri, new TextEncoder().encode(asked.template.text));
  return asked.uri;
}
