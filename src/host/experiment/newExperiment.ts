/** New Experiment…: template, name, file, form. */
import { dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { HostKeys } from '../endpoints/hostKeys.ts';
import { fileNameFor, templates, templateText, type Chosen, type Template } from './templates.ts';

const headings: Readonly<Record<Template['section'], () => string>> = {
  run: () => vscode.l10n.t('Runs on this machine'),
  remote: () => vscode.l10n.t('Runs on real GPUs'),
  compare: () => vscode.l10n.t('Baselines to compare with'),
  paper: () => vscode.l10n.t('Paper'),
};

/** A file of tasks to train on, where it was chosen already. */
export const givenTasksSchema = z.object({ tasks: z.string() });

/**
 * @param given path of a file of tasks: the template for it is not asked for
 * @returns the new file; undefined when it was given up, or a person went to make tasks first
 */
export async function newExperiment(keys: HostKeys, given?: string): Promise<vscode.Uri | undefined> {
  const template = given === undefined ? await pickTemplate() : templates.find(({ needs }) => needs === 'tasks');
  if (template === undefined) return undefined;
  const folder = await pickFolder();
  if (folder === undefined) return undefined;
  const tasks =
    given !== undefined ? vscode.Uri.file(given) : template.needs === 'tasks' ? await pickTasks(folder) : null;
  if (tasks === undefined) return undefined;
  const domain = template.ownDomain === true ? await askForDomain(folder) : null;
  if (domain === undefined) return undefined;
  const needs = template.needs === 'trainer' ? await pickTrainer(template) : template.needs;
  if (needs === null) return undefined;
  const server = needs === 'tinker' || needs === 'openai' ? await askForServer(needs, keys) : null;
  if (server === undefined) return undefined;
  const cluster = needs === 'verl' ? await askForCluster(keys) : null;
  if (cluster === undefined) return undefined;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('New experiment: {0}', vscode.l10n.t(template.label)),
    prompt: vscode.l10n.t('What is it called in lists, charts and reports?'),
    value: template.name,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a name.') : undefined),
  });
  if (name === undefined) return undefined;
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([file]) => file));
  const uri = vscode.Uri.joinPath(folder, fileNameFor(name, taken));
  const from = (file: vscode.Uri): string => relative(dirname(uri.fsPath), file.fsPath).replaceAll('\\', '/');
  const chosen = {
    ...(tasks === null ? {} : { tasks: from(tasks) }),
    ...(domain === null ? {} : { domain: from(domain) }),
    ...(server === null ? {} : { server }),
    ...(cluster === null ? {} : { cluster }),
  };
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(templateText(template, name.trim(), chosen)));
  return uri;
}

async function pickTemplate(): Promise<Template | undefined> {
  const items = (['run', 'remote', 'compare', 'paper'] as const).flatMap((section) => [
    { label: headings[section](), kind: vscode.QuickPickItemKind.Separator, template: undefined },
    ...templates
      .filter((template) => template.section === section)
      .map((template) => ({
        label: `$(${template.icon}) ${vscode.l10n.t(template.label)}`,
        detail: vscode.l10n.t(template.detail),
        template,
      })),
  ]);
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
    title: vscode.l10n.t('New experiment'),
    placeHolder: vscode.l10n.t('What should it start from?'),
    matchOnDetail: true,
  });
  return picked?.template;
}

/** Undefined: it is filled in later; null: given up. */
async function pickTrainer({ ownDomain }: Template): Promise<'tinker' | 'verl' | undefined | null> {
  const items = [
    { label: vscode.l10n.t('Tinker or SkyRL server…'), trainer: 'tinker' as const },
    ...(ownDomain === true ? [] : [{ label: vscode.l10n.t('verl on Ray…'), trainer: 'verl' as const }]),
    {
      label: vscode.l10n.t('Fill it in later'),
      detail: vscode.l10n.t('The file gets a placeholder, marked as a problem until you fill in an address.'),
      trainer: undefined,
    },
  ];
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
    title: vscode.l10n.t('Where are both policies trained?'),
  });
  return picked === undefined ? null : picked.trainer;
}

/** What talks to servers is loaded with the first that is asked for. */
async function askForServer(kind: 'tinker' | 'openai', keys: HostKeys): Promise<Chosen['server']> {
  const { askServer } = await import('../endpoints/askServer.ts');
  return askServer(kind, keys);
}

async function askForDomain(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const { pickDomain } = await import('../domains/pickDomain.ts');
  return pickDomain(folder);
}

async function askForCluster(keys: HostKeys): Promise<Chosen['cluster']> {
  const { askCluster } = await import('../endpoints/askCluster.ts');
  return askCluster(keys);
}

/** The folder it is written into; asked for where there is none or more than one. */
async function pickFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 1) return folders[0]?.uri;
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      openLabel: vscode.l10n.t('Create Here'),
    })) ?? [];
  return chosen;
}

async function pickTasks(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const there = { label: `$(file) ${vscode.l10n.t('An existing file…')}`, makes: false };
  const make = {
    label: `$(edit) ${vscode.l10n.t('Make it first…')}`,
    detail: vscode.l10n.t('From tasks that a run accepted, or from what a model writes now.'),
    makes: true,
  };
  const picked = await vscode.window.showQuickPick([there, make], { title: vscode.l10n.t('Which tasks to train on?') });
  if (picked?.makes === true) await vscode.commands.executeCommand('genenv.makeTasks');
  if (picked?.makes !== false) return undefined;
  const [chosen] =
    (await vscode.window.showOpenDialog({
      defaultUri: folder,
      title: vscode.l10n.t('Which tasks to train on?'),
      openLabel: vscode.l10n.t('Use Tasks'),
      filters: { [vscode.l10n.t('Tasks')]: ['jsonl'] },
    })) ?? [];
  return chosen;
}
