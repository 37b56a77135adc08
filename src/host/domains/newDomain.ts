/** New Domain…: language, name, file. */
import * as vscode from 'vscode';

import { askNewFile } from '../newFile.ts';
import type { Command } from '../commands/context.ts';
import { domainTemplates } from './domainTemplates.ts';

/** @param argument the folder it is written into, where it was called on one; @returns undefined when it was given up */
export async function writeDomain(argument?: unknown): Promise<vscode.Uri | undefined> {
  const asked = await askNewFile(argument, { title: vscode.l10n.t('New domain'), templates: domainTemplates });
  if (asked === undefined) return undefined;
  await vscode.workspace.fs.writeFile(asked.uri, new TextEncoder().encode(asked.template.text));
  return asked.uri;
}

export const newDomain: Command = {
  failed: () => vscode.l10n.t('The domain was not written'),
  run: async (_context, argument) => {
    const uri = await writeDomain(argument);
    if (uri !== undefined) await vscode.window.showTextDocument(uri);
  },
};
