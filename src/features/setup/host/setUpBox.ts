/** Set Up a GPU Box…: asks for the hardware, and writes the folder that starts its servers. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { homeFolder } from '../../../host/newFile.ts';
import { SetupError, type BoxChoice, type ServerKind } from '../contract.ts';
import { boxFiles } from '../core/boxFiles.ts';
import { findGpus } from '../node/findGpus.ts';
import { writeBox } from '../node/writeBox.ts';

/** @returns the folder; undefined when it was given up */
export async function setUpBox(): Promise<vscode.Uri | undefined> {
  const home = await homeFolder();
  if (home === undefined) return undefined;
  const choice = await askChoice();
  if (choice === undefined) return undefined;
  const folder = await freeFolder(home, choice.servers === 'tinker' ? 'tinker' : 'gpu-box');
  try {
    await writeBox(folder.fsPath, boxFiles(choice));
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    const again = vscode.l10n.t('Choose Again…');
    const pressed = await vscode.window.showErrorMessage(`${error.message} ${error.remedy}`, again);
    return pressed === again ? setUpBox() : undefined;
  }
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(folder, 'README.md'));
  return folder;
}

async function askChoice(): Promise<BoxChoice | undefined> {
  const servers = await askServers(vscode.l10n.t('Set Up a GPU Box'));
  if (servers === undefined) return undefined;
  const hosted = servers === 'tinker';
  const host = hosted ? null : await askHost(vscode.l10n.t('GPU Box: Machine'));
  if (host === undefined) return undefined;
  const found = hosted ? null : await gpusThere(host);
  const gpus = hosted
    ? 1
    : await askNumber(vscode.l10n.t('GPU Box: GPUs'), vscode.l10n.t('How many GPUs?'), found?.count ?? 8);
  if (gpus === undefined) return undefined;
  const memory = hosted
    ? 80
    : await askNumber(
        vscode.l10n.t('GPU Box: Memory'),
        vscode.l10n.t('Memory of each GPU, in GB'),
        found?.memory ?? 80,
      );
  if (memory === undefined) return undefined;
  const model = await vscode.window.showInputBox({
    title: vscode.l10n.t('GPU Box: Model'),
    prompt: vscode.l10n.t('Model: its name on the Hugging Face hub, with its size, as in Qwen2.5-7B'),
    value: hosted ? 'Qwen/Qwen3-8B' : 'Qwen/Qwen2.5-7B-Instruct',
    ignoreFocusOut: true,
  });
  if (model === undefined) return undefined;
  return { servers, gpus, memory, model, parameters: null, host, slurm: false, name: hosted ? 'tinker' : 'gpu box' };
}

async function askServers(title: string): Promise<ServerKind | undefined> {
  const items: (vscode.QuickPickItem & { servers: ServerKind })[] = [
    {
      servers: 'skyrl',
      label: vscode.l10n.t('SkyRL, a server for each policy'),
      detail: vscode.l10n.t('Two GPUs or more. Both policies are trained, each on half of the GPUs.'),
    },
    {
      servers: 'skyrl-megatron',
      label: vscode.l10n.t('SkyRL on Megatron, one server'),
      detail: vscode.l10n.t('Two GPUs or more. Both policies are adapters of one model; no KL to the start.'),
    },
    {
      servers: 'frozen',
      label: vscode.l10n.t('SkyRL for the agent, vLLM writes the tasks'),
      detail: vscode.l10n.t('One GPU or more. The environment is not trained.'),
    },
    {
      servers: 'verl',
      label: vscode.l10n.t('verl on Ray, sampled by vLLM'),
      detail: vscode.l10n.t('Two GPUs or more. Both policies are trained by whole jobs.'),
    },
    {
      servers: 'tinker',
      label: vscode.l10n.t('Hosted Tinker'),
      detail: vscode.l10n.t('No GPU of your own: an experiment and the steps to start it.'),
    },
  ];
  const options = { title, placeHolder: vscode.l10n.t('What should train and sample?'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(items, options))?.servers;
}

/** @returns null for this machine */
async function askHost(title: string): Promise<string | null | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('How ssh reaches the GPU machine. Leave it empty if this window runs there.'),
    placeHolder: 'you@gpu-machine',
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : text.trim() === '' ? null : text.trim();
}

/** Where this window runs on that machine, its own answer; a destination that was just typed is asked nothing. */
async function gpusThere(host: string | null) {
  if (host !== null) return null;
  try {
    return await findGpus(null);
  } catch (error) {
    if (error instanceof SetupError) return null;
    throw error;
  }
}

async function askNumber(title: string, prompt: string, value: number): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    value: `${value}`,
    ignoreFocusOut: true,
    validateInput: (given) => (/^[1-9]\d{0,3}$/.test(given) ? null : vscode.l10n.t('Write a whole number.')),
  });
  return text === undefined ? undefined : Number(text);
}

/** `gpu-box`, or with a number where that is taken. */
async function freeFolder(home: vscode.Uri, stem: string): Promise<vscode.Uri> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(home)).map(([name]) => name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(name)) return vscode.Uri.file(join(home.fsPath, name));
  }
}
