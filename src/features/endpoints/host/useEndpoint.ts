/** Use in Experiment…: writes an endpoint into an experiment, as the agent's, the environment's, or both. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { RememberedEndpoint } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { writtenEndpoint } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { editText, smallestChange } from '../../../shared/experiment/text/textEdit.ts';
import { findExperiments } from '../../../host/files/experimentFiles.ts';

type Role = 'agent' | 'environment';

export async function useEndpoint({ name, endpoint }: RememberedEndpoint): Promise<void> {
  const file = await askFile(name);
  if (file === undefined) return;
  if (file === null) {
    // A new one asks for its endpoints itself, and offers those that are remembered.
    await vscode.commands.executeCommand('genenv.newExperiment');
    return;
  }
  const roles = await askRoles(name, endpoint.kind === 'openai');
  if (roles === undefined) return;
  const document = await vscode.workspace.openTextDocument(file);
  const clean = !document.isDirty;
  const before = document.getText();
  const to = writtenEndpoint(endpoint);
  const change = smallestChange(
    before,
    editText(
      before,
      roles.map((role) => ({ path: ['endpoints', role], to })),
    ),
  );
  if (change !== null) {
    const range = new vscode.Range(
      document.positionAt(change.offset),
      document.positionAt(change.offset + change.length),
    );
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, range, change.text);
    await vscode.workspace.applyEdit(edit);
    // A document with unsaved changes stays unsaved.
    if (clean) await document.save();
  }
  await vscode.commands.executeCommand('vscode.open', file);
}

/** Null: a new one. Undefined: it was given up. */
async function askFile(name: string): Promise<vscode.Uri | null | undefined> {
  const found = await findExperiments();
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const active = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  const items = found
    .map((uri) => {
      const isActive = uri.toString() === active?.toString();
      const description = [vscode.workspace.asRelativePath(uri), ...(isActive ? [vscode.l10n.t('open')] : [])];
      return { label: basename(uri.path), description: description.join(' · '), uri, isActive };
    })
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.description.localeCompare(b.description));
  const fresh = { label: `$(new-file) ${vscode.l10n.t('New Experiment…')}`, uri: null };
  const picked = await vscode.window.showQuickPick<{ label: string; uri: vscode.Uri | null }>([...items, fresh], {
    title: vscode.l10n.t('Use “{0}” in which experiment?', name),
    matchOnDescription: true,
  });
  return picked?.uri;
}

async function askRoles(name: string, frozen: boolean): Promise<readonly Role[] | undefined> {
  const agent = { label: vscode.l10n.t('Agent'), description: '', roles: ['agent'] as const };
  const environment = { label: vscode.l10n.t('Environment'), description: '', roles: ['environment'] as const };
  const both = { label: vscode.l10n.t('Both'), description: '', roles: ['agent', 'environment'] as const };
  // An endpoint that only samples can be the environment in modes that freeze it; as an agent it only measures.
  const items = frozen ? [environment, agent] : [both, agent, environment];
  const picked = await vscode.window.showQuickPick<{ label: string; roles: readonly Role[] }>(items, {
    title: vscode.l10n.t('Which policy lives at “{0}”?', name),
  });
  return picked?.roles;
}
