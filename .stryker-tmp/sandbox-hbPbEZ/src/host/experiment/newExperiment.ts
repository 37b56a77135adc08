/** New Experiment…: template, name, file, form. */
import { dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import type { Keys } from '../../launch/keys.ts';
import { fileNameFor, templates, templateText, type Chosen, type Template } from './templates.ts';

const headings: Readonly<Record<Template['section'], () => string>> = {
  run: () => vscode.l10n.t('Runs on this machine'),
  remote: () => vscode.l10n.t('Runs on real GPUs'),
  compare: () => vscode.l10n.t('Baselines to compare with'),
  paper: () => vscode.l10n.t('Paper'),
};

/** @returns the new file; undefined when it was given up */
export async function newExperiment(keys: Keys): Promise<vscode.Uri | undefined> {
  const template = await pickTemplate();
  if (template === undefined) return undefined;
  const folder = await pickFolder();
  if (folder === undefined) return undefined;
  const tasks = template.needs === 'tasks' ? await pickTasks(folder) : null;
  if (tasks === undefined) return undefined;
  const { needs } = template;
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
  const chosen = {
    ...(tasks === null ? {} : { tasks: relative(dirname(uri.fsPath), tasks.fsPath).replaceAll('\\', '/') }),
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

/** What talks to servers is loaded with the first that is asked for. */
async function askForServer(kind: 'tinker' | 'openai', keys: Keys): Promise<Chosen['server']> {
  const { askServer } = await import('../endpoints/askServer.ts');
  return askServer(kind, keys);
}

async function askForCluster(keys: Keys): Promise<Chosen['cluster']> {
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
  const [chosen] =
    (await vscode.window.showOpenDialog({
      defaultUri: folder,
      title: vscode.l10n.t('Which tasks to train on?'),
      openLabel: vscode.l10n.t('Use Tasks'),
      filters: { [vscode.l10n.t('Tasks')]: ['jsonl'] },
    })) ?? [];
  return chosen;
}
