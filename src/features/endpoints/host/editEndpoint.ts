/** Edit Endpoint…: one field after another, each checked as a file's is; closed with Escape. */
import * as vscode from 'vscode';
import type { RemoteEndpoint } from '../../../launch/access/address.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import { endpointSchema } from '../../../shared/experiment/endpoints/endpoint.ts';
import { writtenRemembered, type RememberedEndpoint } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { askName } from './addEndpoint.ts';
import { askModel, askOpenaiKey, askTinkerKey, lookWithProgress } from '../../../host/servers/askServer.ts';
import { changeRemembered } from '../../../host/servers/rememberedEndpoints.ts';

type Value = string | number | null;

const words: Readonly<Record<string, () => string>> = {
  url: () => vscode.l10n.t('Address'),
  key: () => vscode.l10n.t('Key'),
  model: () => vscode.l10n.t('Model'),
  rank: () => vscode.l10n.t('LoRA rank'),
  tokenizer: () => vscode.l10n.t('Tokenizer'),
  inFlight: () => vscode.l10n.t('Most requests in flight'),
  pricePerHour: () => vscode.l10n.t('Price of an hour, all GPUs'),
  pricePrompt: () => vscode.l10n.t('Price of a million prompt tokens'),
  priceSampled: () => vscode.l10n.t('Price of a million sampled tokens'),
  priceTrained: () => vscode.l10n.t('Price of a million trained tokens'),
  workdir: () => vscode.l10n.t('Folder of the cluster'),
  mount: () => vscode.l10n.t('The same folder here'),
  nodes: () => vscode.l10n.t('Nodes'),
  gpus: () => vscode.l10n.t('GPUs of a node'),
  overrides: () => vscode.l10n.t('Hydra overrides'),
  sampler: () => vscode.l10n.t('Address of the sampler'),
  samplerKey: () => vscode.l10n.t('Key of the sampler'),
};

/** Writes each change at once. */
export async function editEndpoint(entry: RememberedEndpoint, keys: Keys): Promise<void> {
  let { name, endpoint } = entry;
  for (;;) {
    const field = await askField(name, endpoint);
    if (field === undefined) return;
    if (field === 'name') name = (await askName(name, name)) ?? name;
    else endpoint = await changed(endpoint, field, keys);
    const written = writtenRemembered({ name, endpoint });
    await changeRemembered((entries) => entries.map((one, i) => (i === entry.index ? written : one)));
  }
}

/** Rename Endpoint…: the name alone. */
export async function renameEndpoint({ index, name, endpoint }: RememberedEndpoint): Promise<void> {
  const to = await askName(name, name);
  if (to === undefined || to === name) return;
  const written = writtenRemembered({ name: to, endpoint });
  await changeRemembered((entries) => entries.map((one, i) => (i === index ? written : one)));
}

async function askField(name: string, endpoint: RemoteEndpoint): Promise<string | undefined> {
  const fields = Object.entries(endpoint).flatMap(([field, value]) => {
    const label = words[field];
    return label === undefined ? [] : [{ label: label(), description: shown(value ?? null), field }];
  });
  const items = [{ label: vscode.l10n.t('Name'), description: name, field: 'name' }, ...fields];
  const placeHolder = vscode.l10n.t('Which setting do you want to change? Press Esc to keep them all.');
  return (await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title: name, placeHolder }))?.field;
}

const shown = (value: Value): string => (value === null || value === '' ? vscode.l10n.t('not set') : String(value));

async function changed(endpoint: RemoteEndpoint, field: string, keys: Keys): Promise<RemoteEndpoint> {
  const now = Object.entries(endpoint).find(([name]) => name === field)?.[1] ?? null;
  const to = await askValue(endpoint, field, now, keys);
  return to === undefined ? endpoint : (withField(endpoint, field, to) ?? endpoint);
}

/** Undefined when it was given up. */
async function askValue(endpoint: RemoteEndpoint, field: string, now: Value, keys: Keys): Promise<Value | undefined> {
  if (field === 'key' || field === 'samplerKey') {
    const { url } = endpoint;
    return endpoint.kind === 'tinker'
      ? askTinkerKey(url)
      : askOpenaiKey(endpoint.kind === 'verl' && field === 'samplerKey' ? endpoint.sampler : url);
  }
  if (field === 'model' && endpoint.kind !== 'verl') {
    return askModel(endpoint.kind, endpoint.url, await lookWithProgress(endpoint, keys));
  }
  const text = await vscode.window.showInputBox({
    title: words[field]?.() ?? field,
    prompt: typeof now === 'string' ? '' : vscode.l10n.t('Empty: none.'),
    value: now === null ? '' : String(now),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      const read = parsed(endpoint, field, valueOf(typed, endpoint, field));
      return typeof read === 'string' ? read : null;
    },
  });
  return text === undefined ? undefined : valueOf(text, endpoint, field);
}

/** The typed text as the field's type: a number, a text, or nothing. */
function valueOf(text: string, endpoint: RemoteEndpoint, field: string): Value {
  const typed = text.trim();
  if (typed === '' && withField(endpoint, field, null) !== null) return null;
  const number = Number(typed);
  return typed !== '' && withField(endpoint, field, number) !== null ? number : typed;
}

/** Null where the field cannot have this value. */
function withField(endpoint: RemoteEndpoint, field: string, value: Value): RemoteEndpoint | null {
  const read = parsed(endpoint, field, value);
  return typeof read === 'string' ? null : read;
}

/** The endpoint, or the fault of the value. */
function parsed(endpoint: RemoteEndpoint, field: string, value: Value): RemoteEndpoint | string {
  const read = endpointSchema.safeParse({ ...endpoint, [field]: value });
  if (!read.success) return read.error.issues[0]?.message ?? vscode.l10n.t('It is not understood.');
  return read.data.kind === 'embedded' ? endpoint : read.data;
}
