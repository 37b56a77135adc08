/** A person's answers to a proposal: see the difference, accept it, refuse it. */
import * as vscode from 'vscode';
import { requireTrust } from '../../../host/runs/steerError.ts';
import { withMarksShown } from '../../../shared/text/hiddenMarks.ts';
import { emptyUri, uriOf, type ProposalsView, type WaitingProposal } from './proposalsView.ts';

export async function showProposal(waiting: WaitingProposal): Promise<void> {
  const { proposal, folder } = waiting;
  const file = vscode.Uri.joinPath(folder.workspace.uri, proposal.file);
  const left = proposal.base === null ? emptyUri(waiting) : file;
  const title = vscode.l10n.t('{0}: proposed by {1}', withMarksShown(proposal.file), withMarksShown(proposal.by));
  await vscode.commands.executeCommand('vscode.diff', left, uriOf(waiting), title);
}

/** @throws SteerError `untrusted`; AgentError that says why nothing was written; Error for a file with unsaved changes */
export async function acceptProposal(view: ProposalsView, waiting: WaitingProposal): Promise<void> {
  requireTrust();
  const { proposal, folder } = waiting;
  const file = vscode.Uri.joinPath(folder.workspace.uri, proposal.file);
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (open?.isDirty === true) {
    throw new Error(
      vscode.l10n.t('“{0}” has changes that are not saved. Save or undo them, then accept again.', proposal.file),
    );
  }
  await (await view.folderOf(folder)).accept(proposal.id);
  await ended(view, waiting);
  await vscode.window.showTextDocument(file, { preview: true });
}

/** @throws AgentError where it waits no longer */
export async function refuseProposal(view: ProposalsView, waiting: WaitingProposal): Promise<void> {
  await (await view.folderOf(waiting.folder)).refuse(waiting.proposal.id);
  await ended(view, waiting);
}

async function ended(view: ProposalsView, waiting: WaitingProposal): Promise<void> {
  const shown = uriOf(waiting).toString();
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === shown);
  await vscode.window.tabGroups.close(tabs);
  await view.look();
}

/** The row or document that a command was called on, else the one in front, else one that a person picks. */
export async function waitingOf(view: ProposalsView, argument: unknown): Promise<WaitingProposal | undefined> {
  const front = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown =
    argument instanceof vscode.Uri ? argument : front instanceof vscode.TabInputTextDiff ? front.modified : null;
  const known = view.ofRow(argument) ?? (shown === null ? undefined : view.find(shown));
  if (known !== undefined) return known;
  await view.look();
  if (view.waiting.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No proposal waits. Coding agents make them with the tool propose_change.'),
    );
    return undefined;
  }
  const items = view.waiting.map((waiting) => ({
    label: withMarksShown(waiting.proposal.file),
    description: withMarksShown(waiting.proposal.by),
    detail: withMarksShown(waiting.proposal.why),
    waiting,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which proposal?') }))?.waiting;
}
