/** Which server a new experiment's policies live on: address, where its key is found, and a model that it serves. */
import * as vscode from 'vscode';
import { EndpointError } from '../../endpoints/endpointError.ts';
import { KeyError, type Keys } from '../../launch/access/keys.ts';
import { permitsFor } from '../../launch/access/permit.ts';
import type { Address } from '../../launch/access/address.ts';
import { lookAt, type EndpointLook } from '../../launch/policies/lookAt.ts';
import { secretIn } from '../../shared/experiment/endpoints/addressField.ts';
import { endpointDefaults } from '../../shared/experiment/endpoints/endpoint.ts';
import { writtenEndpoint } from '../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { askKey } from './askKey.ts';
import type { HostKeys } from './hostKeys.ts';
import { pickRemembered } from './pickRemembered.ts';

type Kind = 'tinker' | 'openai';

export interface ChosenServer {
  kind: Kind;
  url: string;
  key: string | null;
  model: string;
  /** Further remembered fields. */
  more: Readonly<Record<string, string | number | null>>;
  /** Everything it says it serves. */
  served: readonly string[];
}

const hosted = endpointDefaults.tinker;

/** One of those that are remembered, or another. Undefined when it was given up. */
export async function askServer(kind: Kind, keys: HostKeys): Promise<ChosenServer | undefined> {
  const known = await pickRemembered(kind);
  if (known === undefined) return undefined;
  if (known === null) return askNewServer(kind, keys);
  const { url, key, model } = known;
  const more = Object.fromEntries(
    Object.entries(writtenEndpoint(known)).filter(([field]) => !['kind', 'url', 'key', 'model'].includes(field)),
  );
  const look = await lookWithProgress({ kind, url, key }, keys);
  return { kind, url, key, model, more, served: look instanceof Error ? [] : look.models.map(({ name }) => name) };
}

/** Undefined when it was given up. */
export async function askNewServer(kind: Kind, keys: HostKeys): Promise<ChosenServer | undefined> {
  const where = vscode.l10n.t('Where does the environment live?');
  const url = await (kind === 'tinker' ? askTinkerAddress() : askOpenaiAddress(where));
  if (url === undefined) return undefined;
  const key = await (kind === 'tinker' ? askTinkerKey(url) : askOpenaiKey(url));
  if (key === undefined) return undefined;
  await keys.allow(...permitsFor(url, key));
  const look = await lookWithProgress({ kind, url, key }, keys);
  const model = await askModel(kind, url, look);
  const served = look instanceof Error ? [] : look.models.map(({ name }) => name);
  return model === undefined ? undefined : { kind, url, key, model, more: {}, served };
}

async function askTinkerAddress(): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      { label: vscode.l10n.t('Tinker, the hosted service'), description: hosted.url, url: hosted.url },
      {
        label: vscode.l10n.t('SkyRL or another server…'),
        description: vscode.l10n.t('its own address, or the end of a tunnel to it'),
        url: null,
      },
      {
        label: vscode.l10n.t('“genenv serve” on this machine'),
        description: 'http://127.0.0.1:8787',
        detail: vscode.l10n.t('The embedded models behind the same protocol: a rehearsal without a GPU.'),
        url: 'http://127.0.0.1:8787',
      },
    ],
    { ignoreFocusOut: true, title: vscode.l10n.t('Where do the policies live?') },
  );
  if (picked === undefined || picked.url !== null) return picked?.url;
  const prompt = vscode.l10n.t('As given to a Tinker client, without “/api/v1”.');
  return typeAddress(prompt, 'http://127.0.0.1:8000');
}

/** The usual addresses of these servers. */
const usualPlaces: readonly [string, string][] = [
  ['vLLM', 'http://127.0.0.1:8000/v1'],
  ['SGLang', 'http://127.0.0.1:30000/v1'],
  ['llama.cpp', 'http://127.0.0.1:8080/v1'],
  ['Ollama', 'http://127.0.0.1:11434/v1'],
  ['genenv serve', 'http://127.0.0.1:8787/v1'],
];

export async function askOpenaiAddress(title: string): Promise<string | undefined> {
  const other = { label: vscode.l10n.t('Another address…'), description: '', url: null };
  const picked = await vscode.window.showQuickPick(
    [...usualPlaces.map(([label, url]) => ({ label, description: url, url })), other],
    { ignoreFocusOut: true, title },
  );
  if (picked === undefined || picked.url !== null) return picked?.url;
  return typeAddress(vscode.l10n.t('As given to an OpenAI client, usually with “/v1”.'), 'https://');
}

export function typeAddress(prompt: string, value: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...{ title: vscode.l10n.t('Address of the server'), prompt, value, ignoreFocusOut: true },
    validateInput: (text) => {
      if (!/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) {
        return vscode.l10n.t('An address begins with http:// or https://.');
      }
      return secretIn(text) === null
        ? null
        : vscode.l10n.t('Give the address without user, password and key: the key’s place is asked for next.');
    },
  });
}

/** Null: it needs none. */
export const askTinkerKey = (url: string): Promise<string | null | undefined> =>
  askKey({
    title: vscode.l10n.t('Where is its key?'),
    secret: secretName(url, 'tinker'),
    variable: 'TINKER_API_KEY',
    usual: url === hosted.url,
    none: vscode.l10n.t('SkyRL asks for none'),
  });

/** Null: it needs none. */
export const askOpenaiKey = (url: string): Promise<string | null | undefined> =>
  askKey({
    title: vscode.l10n.t('Where is its key?'),
    secret: secretName(url, 'openai'),
    variable: 'OPENAI_API_KEY',
    usual: false,
    none: vscode.l10n.t('a server of your own'),
  });

/** The name of a server's key: a user's own server by its host, a hosted service by its common name. */
function secretName(url: string, service: string): string {
  const [first = ''] = url.trim().split(/[\s,]+/);
  const { hostname, host } = URL.canParse(first) ? new URL(first) : { hostname: '', host: '' };
  const own = /^(localhost|[\d.]+|\[.*\]|[^.]+)$/.test(hostname);
  return own ? `${service}-${host.replaceAll(/[^\w.]+/g, '-')}` : service;
}

export async function lookWithProgress(address: Address, keys: Keys): Promise<EndpointLook | Error> {
  const title = vscode.l10n.t('Asking {0} for its models…', address.url);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new Error(vscode.l10n.t('Not asked.'))));
    try {
      return await lookAt(address, keys, ending.signal);
    } catch (error) {
      // The experiment can be written all the same: a server may be started later.
      if (EndpointError.is(error) || KeyError.is(error) || (ending.signal.aborted && error instanceof Error))
        return error;
      throw error;
    }
  });
}

/** One that is served at the address, or any other where that is not known. */
export async function askModel(
  kind: keyof typeof endpointDefaults,
  url: string,
  look: EndpointLook | Error,
): Promise<string | undefined> {
  const title = kind === 'openai' ? vscode.l10n.t('Which model is asked?') : vscode.l10n.t('Which model is trained?');
  const served = look instanceof Error ? [] : look.models;
  if (served.length > 0) {
    const items = served.map(({ name, context }) => ({
      label: name,
      description: context === null ? '' : vscode.l10n.t('{0} tokens', context),
    }));
    return (await vscode.window.showQuickPick(items, { ignoreFocusOut: true, title }))?.label;
  }
  return vscode.window.showInputBox({
    title,
    prompt: look instanceof Error ? look.message : vscode.l10n.t('{0} does not say what it serves.', url),
    value: endpointDefaults[kind].model,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a name.') : null),
  });
}
