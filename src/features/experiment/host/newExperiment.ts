/** New Experiment…: tasks, endpoint, name, file, form. */
import { dirname, relative } from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { takenNames, unsavedFile } from '../../../host/files/unsavedFile.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import type { pickRecipe as PickRecipe, TaskKind } from './pickTaskKind.ts';
import { fileNameFor, isForModels, templates, templateText } from './templates.ts';
import type { Chosen, ChosenDomain, Template } from './templates.ts';
import { defined } from '../../../shared/defined.ts';

const headings: Readonly<Record<Template['section'], () => string>> = {
  run: () => vscode.l10n.t('Runs on this machine'),
  remote: () => vscode.l10n.t('Runs on real GPUs'),
  compare: () => vscode.l10n.t('Baselines to compare with'),
  paper: () => vscode.l10n.t('Paper'),
};

/** A file of tasks to train on, where it was chosen already. */
export const givenTasksSchema = z.object({ tasks: z.string() });

/**
 * @param given path of a file of tasks: then no template is asked for
 * @returns the new document, unsaved; undefined when cancelled, or when the user chose to make tasks first
 */
export async function newExperiment(keys: HostKeys, given?: string): Promise<vscode.Uri | undefined> {
  const folder = await pickFolder();
  if (folder === undefined) return undefined;
  const asked = given === undefined ? await pickDomainAndTemplate(folder) : offlineTemplate();
  if (asked === undefined) return undefined;
  const { template } = asked;
  const tasks =
    given !== undefined ? vscode.Uri.file(given) : template.needs === 'tasks' ? await pickTasks(folder) : null;
  if (tasks === undefined) return undefined;
  const byJobs = asked.kind === 'stories' || asked.kind === 'embedded';
  const needs = template.needs === 'trainer' ? await pickTrainer(byJobs) : template.needs;
  if (needs === null) return undefined;
  const server = needs === 'tinker' || needs === 'openai' ? await askForServer(needs, keys) : null;
  if (server === undefined) return undefined;
  const trains = needs === 'openai' ? await pickTrainer(false) : undefined;
  if (trains === null) return undefined;
  const trainer = trains === 'tinker' ? await askForServer('tinker', keys) : null;
  if (trainer === undefined) return undefined;
  const cluster = needs === 'verl' ? await askForCluster(keys) : null;
  if (cluster === undefined) return undefined;
  const name = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('New experiment: {0}', vscode.l10n.t(template.label)),
    prompt: vscode.l10n.t('Its name in lists, charts and reports'),
    value: template.name,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a name.') : undefined),
  });
  if (name === undefined) return undefined;
  const uri = vscode.Uri.joinPath(folder, fileNameFor(name, await takenNames(folder)));
  const from = (file: vscode.Uri): string => relative(dirname(uri.fsPath), file.fsPath).replaceAll('\\', '/');
  const chosen = {
    ...(tasks !== null && { tasks: from(tasks) }),
    ...(asked.domain !== undefined && { domain: asked.domain(from) }),
    ...defined({ server: server ?? undefined, trainer: trainer ?? undefined, cluster: cluster ?? undefined }),
  };
  return unsavedFile(uri, templateText(template, name.trim(), chosen));
}

/** First which tasks, then where the policies live. */
interface Asked {
  kind: TaskKind;
  template: Template;
  /** In the experiment's form, with paths relative to its folder. */
  domain?: (from: (file: vscode.Uri) => string) => ChosenDomain;
}

function offlineTemplate(): Asked | undefined {
  const template = templates.find(({ needs }) => needs === 'tasks');
  return template === undefined ? undefined : { kind: 'embedded', template };
}

async function pickDomainAndTemplate(folder: vscode.Uri): Promise<Asked | undefined> {
  const { pickTaskKind, pickRecipe } = await import('./pickTaskKind.ts');
  const kind = await pickTaskKind();
  if (kind === undefined) return undefined;
  const domain = await domainOfKind(kind, folder, pickRecipe);
  if (domain === null) return undefined;
  const template = await pickTemplate(kind);
  return template === undefined ? undefined : { kind, template, ...defined({ domain }) };
}

/** Undefined: the template's own; null: given up. */
async function domainOfKind(
  kind: TaskKind,
  folder: vscode.Uri,
  pickRecipe: typeof PickRecipe,
): Promise<Asked['domain'] | null> {
  switch (kind) {
    case 'embedded':
      return undefined;
    case 'stories':
      return () => ({ name: kind });
    case 'reasoning': {
      const { offerReasoning } = await import('../../domains/host/installReasoning.ts');
      return (await offerReasoning()) ? () => ({ name: kind }) : null;
    }
    case 'own': {
      const file = await askForDomain(folder);
      return file === undefined ? null : (from) => ({ file: from(file) });
    }
    case 'recipe': {
      const recipe = await pickRecipe(folder);
      return recipe === undefined ? null : (from) => ({ name: recipe.name, seeds: from(recipe.seeds) });
    }
  }
}

/** Those that fit the tasks. Jobs judge by rules that exist in Python, so the cluster template is for stories. */
async function pickTemplate(kind: TaskKind): Promise<Template | undefined> {
  const fits = (template: Template): boolean =>
    kind === 'embedded'
      ? !isForModels(template) || template.id === 'tinker'
      : isForModels(template) && (template.needs !== 'verl' || kind === 'stories');
  const items = (['run', 'remote', 'compare', 'paper'] as const).flatMap((section) => {
    const fitting = templates.filter((template) => template.section === section && fits(template));
    if (fitting.length === 0) return [];
    return [
      { label: headings[section](), kind: vscode.QuickPickItemKind.Separator, template: undefined },
      ...fitting.map((template) => ({
        label: `$(${template.icon}) ${vscode.l10n.t(template.label)}`,
        detail: vscode.l10n.t(template.detail),
        template,
      })),
    ];
  });
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('New experiment'),
    placeHolder: kind === 'embedded' ? vscode.l10n.t('What should it start from?') : vscode.l10n.t('Which endpoint?'),
    matchOnDetail: true,
  });
  return picked?.template;
}

/** Undefined: it is filled in later; null: given up. */
async function pickTrainer(byJobs: boolean): Promise<'tinker' | 'verl' | undefined | null> {
  const items = [
    { label: vscode.l10n.t('Tinker or SkyRL server…'), trainer: 'tinker' as const },
    ...(byJobs ? [{ label: vscode.l10n.t('verl on Ray…'), trainer: 'verl' as const }] : []),
    {
      label: vscode.l10n.t('Fill it in later'),
      detail: vscode.l10n.t('The file names a placeholder, and says so until there is an address.'),
      trainer: undefined,
    },
  ];
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Where is it trained?'),
  });
  return picked === undefined ? null : picked.trainer;
}

/** The code of servers is loaded with the first request. */
async function askForServer(kind: 'tinker' | 'openai', keys: HostKeys): Promise<Chosen['server']> {
  const { askServer } = await import('../../../host/servers/askServer.ts');
  return askServer(kind, keys);
}

async function askForDomain(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  const { pickDomain } = await import('../../../host/files/pickDomain.ts');
  return pickDomain(folder);
}

async function askForCluster(keys: HostKeys): Promise<Chosen['cluster']> {
  const { askCluster } = await import('../../../host/servers/askCluster.ts');
  return askCluster(keys);
}

/** The target folder; a picker asks where there is none or more than one. */
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
  const picked = await vscode.window.showQuickPick([there, make], {
    ignoreFocusOut: true,
    title: vscode.l10n.t('Which tasks to train on?'),
  });
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
