/** The file of a new conversation: asks for run and versions, and writes it. */
import { dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContext } from '../../../host/commands/context.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import { placeOf, taskScheme } from '../../../host/documents/layout/place.ts';
import { runTargetSchema, type RunTarget } from '../../../host/trees/target.ts';
import { versionsOf } from '../../../launch/policies/versionsOf.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { talkText } from '../core/talk.ts';
import type { TalkNeeds } from './talkEditor.ts';

type NewTalkNeeds = Pick<TalkNeeds, 'folders'> & Pick<CommandContext, 'catalog' | 'clock'>;

/** @returns its file; undefined where the user cancelled */
export async function newTalk(needs: NewTalkNeeds, argument: unknown): Promise<vscode.Uri | undefined> {
  const target = targetOf(argument);
  const known = await pickRun(needs, target, {
    title: vscode.l10n.t('Talk to a checkpoint of which run?'),
    fits: () => true,
    none: vscode.l10n.t('There is no run yet.'),
  });
  if (known === undefined) return undefined;
  return needs.folders.reading(known.dir, async (run) => {
    const policies = await askVersions(run);
    if (policies === undefined) return undefined;
    const uri = await freeFile(run, known.head.name);
    const { temperature, maxTokens } = run.manifest.experiment.rollouts;
    const text = talkText({
      ...{ version: 1, run: relative(dirname(uri.fsPath), run.dir).replaceAll('\\', '/'), policies },
      ...{ task: target?.task ?? null, temperature, maxTokens, seed: 0, exchanges: [] },
    });
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return uri;
  });
}

/** A node of the tree, a lens, or the task in front. */
function targetOf(argument: unknown): RunTarget | undefined {
  const given = argument instanceof vscode.Uri ? undefined : runTargetSchema.safeParse(argument).data;
  if (given !== undefined) return given;
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== taskScheme) return undefined;
  const { run, id } = placeOf(uri);
  return { run, task: id };
}

async function askVersions(run: RunReader): Promise<string[] | undefined> {
  const items = (await versionsOf(run)).filter(({ kept }) => kept).map(({ version }) => ({ label: version.name }));
  if (items.length === 0) throw new Error(vscode.l10n.t('This run has no version that can answer.'));
  const first = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Talk to which version?'),
  });
  if (first === undefined) return undefined;
  const alone = { label: vscode.l10n.t('$(person) None: {0} alone', first.label), name: null };
  const others = items.filter(({ label }) => label !== first.label).map(({ label }) => ({ label, name: label }));
  const title = vscode.l10n.t('Which version answers beside {0}?', first.label);
  const second = await vscode.window.showQuickPick([alone, ...others], { ignoreFocusOut: true, title });
  if (second === undefined) return undefined;
  return second.name === null ? [first.label] : [first.label, second.name];
}

/** In the workspace folder of the run. */
async function freeFile(run: RunReader, name: string): Promise<vscode.Uri> {
  const folder =
    vscode.workspace.getWorkspaceFolder(vscode.Uri.file(run.dir)) ?? vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) throw new Error(vscode.l10n.t('Open a folder first: the conversation is a file in it.'));
  const base = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '') || 'run';
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder.uri)).map(([file]) => file));
  let file = `${base}.talk.json`;
  for (let i = 2; taken.has(file); i++) file = `${base}-${i}.talk.json`;
  return vscode.Uri.joinPath(folder.uri, file);
}
