/** Which cluster trains a new experiment's policies by jobs of verl, and which server beside it samples them. */
import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { permitsFor } from '../../launch/access/permit.ts';
import { endpointDefaults, type VerlEndpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { sshAddressOf } from '../../shared/experiment/endpoints/sshAddress.ts';
import { codeOf } from '../../shared/systemError.ts';
import { askModel, askOpenaiAddress, askOpenaiKey, lookWithProgress, typeAddress } from './askServer.ts';
import type { HostKeys } from './hostKeys.ts';
import { pickRemembered } from './pickRemembered.ts';

const usual = endpointDefaults.verl;

export type ChosenCluster = Pick<
  VerlEndpoint,
  'kind' | 'url' | 'key' | 'model' | 'workdir' | 'mount' | 'gpus' | 'sampler' | 'samplerKey'
>;

/** One of those that are remembered, or another. Undefined when it was given up. */
export async function askCluster(keys: HostKeys): Promise<ChosenCluster | undefined> {
  const known = await pickRemembered('verl');
  return known === null ? askNewCluster(keys) : known;
}

/** Undefined when it was given up. */
export async function askNewCluster(keys: HostKeys): Promise<ChosenCluster | undefined> {
  const url = await askLauncher();
  if (url === undefined) return undefined;
  const key = url.startsWith('http') ? await askToken() : null;
  if (key === undefined) return undefined;
  const folders = await askFolders(url);
  if (folders === undefined) return undefined;
  const gpus = await askGpus();
  if (gpus === undefined) return undefined;
  const sampler = await askOpenaiAddress(vscode.l10n.t('Which vLLM server samples what the jobs trained?'));
  if (sampler === undefined) return undefined;
  const samplerKey = await askOpenaiKey(sampler);
  if (samplerKey === undefined) return undefined;
  await keys.allow(...permitsFor(url, key), ...permitsFor(sampler, samplerKey));
  const look = await lookWithProgress({ kind: 'openai', url: sampler, key: samplerKey }, keys);
  const model = await askModel('verl', sampler, look);
  return model === undefined ? undefined : { kind: 'verl', url, key, model, ...folders, gpus, sampler, samplerKey };
}

async function askLauncher(): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('Ray cluster'),
        description: usual.url,
        detail: vscode.l10n.t('Its dashboard, here at the end of a tunnel.'),
        ask: null,
        url: usual.url,
      },
      {
        label: vscode.l10n.t('Ray cluster at another address…'),
        ask: () => typeAddress(vscode.l10n.t('The address of its dashboard.'), 'http://'),
      },
      {
        label: vscode.l10n.t('A machine behind SSH…'),
        detail: vscode.l10n.t('verl starts its own Ray there.'),
        ask: typeHost,
      },
      { label: vscode.l10n.t('This machine'), description: 'local:', ask: null, url: 'local:' },
    ],
    { ignoreFocusOut: true, title: vscode.l10n.t('Where do jobs run?') },
  );
  return picked === undefined || picked.ask === null ? picked?.url : picked.ask();
}

function typeHost(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Which machine?'),
    prompt: vscode.l10n.t('“ssh” must reach it without asking for a password.'),
    value: 'ssh://',
    ignoreFocusOut: true,
    validateInput: (text) => (sshAddressOf(text) !== null ? null : vscode.l10n.t('Give it as ssh://user@host.')),
  });
}

/** Null: it needs none. */
async function askToken(): Promise<string | null | undefined> {
  const keys = [
    { label: vscode.l10n.t('No token'), description: vscode.l10n.t('as Ray is by default'), key: null },
    {
      label: vscode.l10n.t('Secret storage of this editor'),
      description: vscode.l10n.t('asked for once, under the name “{0}”', 'ray'),
      key: '${secret:ray}',
    },
    { label: vscode.l10n.t('Environment variable {0}', 'RAY_AUTH_TOKEN'), key: '${env:RAY_AUTH_TOKEN}' },
  ];
  return (
    await vscode.window.showQuickPick(keys, {
      ignoreFocusOut: true,
      title: vscode.l10n.t('Where is the cluster’s token?'),
    })
  )?.key;
}

/** The folder that jobs share, and where this machine sees it. */
async function askFolders(url: string): Promise<Pick<VerlEndpoint, 'workdir' | 'mount'> | undefined> {
  const workdir = await vscode.window.showInputBox({
    title: vscode.l10n.t('Folder of the cluster'),
    prompt: vscode.l10n.t('Where jobs read their rows and leave what they made; every node must see it.'),
    value: usual.workdir,
    ignoreFocusOut: true,
    validateInput: (text) => (text.startsWith('/') ? null : vscode.l10n.t('Give a path that begins with /.')),
  });
  if (workdir === undefined) return undefined;
  if (url.startsWith('ssh:') || url === 'local:' || (await isHere(workdir))) return { workdir, mount: null };
  const mount = await vscode.window.showInputBox({
    title: vscode.l10n.t('The same folder here'),
    prompt: vscode.l10n.t('{0} is not on this machine: where is it mounted?', workdir),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a path.') : null),
  });
  return mount === undefined ? undefined : { workdir, mount };
}

async function isHere(folder: string): Promise<boolean> {
  try {
    await access(folder);
    return true;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}

async function askGpus(): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    ignoreFocusOut: true,
    title: vscode.l10n.t('How many GPUs does a job take?'),
    prompt: vscode.l10n.t('Of one node; more nodes are set in the experiment.'),
    value: String(usual.gpus),
    validateInput: (given) => (/^[1-9]\d*$/.test(given) ? null : vscode.l10n.t('Give a whole number above 0.')),
  });
  return text === undefined ? undefined : Number(text);
}
