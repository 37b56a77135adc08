/** Which server a new experiment's policies live on: address, where its key is found, and a model that it serves. */
import * as vscode from 'vscode';
import { EndpointError } from '../../backends/endpointError.ts';
import { KeyError, type Keys } from '../../launch/keys.ts';
import { lookAt, type EndpointLook } from '../../launch/lookAt.ts';
import { endpointDefaults } from '../../shared/experiment/endpoint.ts';

export interface ChosenServer {
  url: string;
  key: string | null;
  model: string;
  /** Everything it says it serves. */
  served: readonly string[];
}

const hosted = endpointDefaults.tinker;

/** Undefined when it was given up. */
export async function askServer(keys: Keys): Promise<ChosenServer | undefined> {
  const url = await askAddress();
  if (url === undefined) return undefined;
  const key = await askKey(url);
  if (key === undefined) return undefined;
  const look = await lookWithProgress(url, key, keys);
  const served = look instanceof Error ? [] : look.models;
  const model = await askModel(url, served, look instanceof Error ? look : null);
  return model === undefined ? undefined : { url, key, model, served: served.map(({ name }) => name) };
}

async function askAddress(): Promise<string | undefined> {
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
    { title: vscode.l10n.t('Where do the policies live?') },
  );
  if (picked === undefined || picked.url !== null) return picked?.url;
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the server'),
    prompt: vscode.l10n.t('As a Tinker client is given it, without “/api/v1”.'),
    value: 'http://127.0.0.1:8000',
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')
        ? null
        : vscode.l10n.t('An address begins with http:// or https://.'),
  });
}

/** Null: it needs none. */
async function askKey(url: string): Promise<string | null | undefined> {
  const none = { label: vscode.l10n.t('No key'), description: vscode.l10n.t('SkyRL asks for none'), key: null };
  const variable = {
    label: vscode.l10n.t('Environment variable TINKER_API_KEY'),
    description: process.env['TINKER_API_KEY'] === undefined ? vscode.l10n.t('not set in this window') : '',
    key: '${env:TINKER_API_KEY}',
  };
  const secret = {
    label: vscode.l10n.t('Secret storage of this editor'),
    description: vscode.l10n.t('asked for once, under the name “tinker”'),
    key: '${secret:tinker}',
  };
  const order = url === hosted.url ? [secret, variable, none] : [none, secret, variable];
  return (await vscode.window.showQuickPick(order, { title: vscode.l10n.t('Where is its key?') }))?.key;
}

async function lookWithProgress(url: string, key: string | null, keys: Keys): Promise<EndpointLook | Error> {
  const title = vscode.l10n.t('Asking {0} for its models…', url);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
    const ending = new AbortController();
    token.onCancellationRequested(() => ending.abort(new Error(vscode.l10n.t('Not asked.'))));
    try {
      return await lookAt({ kind: 'tinker', url, key }, keys, ending.signal);
    } catch (error) {
      // The experiment can be written all the same: a server may be started later.
      if (EndpointError.is(error) || KeyError.is(error) || (ending.signal.aborted && error instanceof Error))
        return error;
      throw error;
    }
  });
}

async function askModel(
  url: string,
  served: EndpointLook['models'],
  failure: Error | null,
): Promise<string | undefined> {
  if (served.length > 0) {
    const items = served.map(({ name, context }) => ({
      label: name,
      description: context === null ? '' : vscode.l10n.t('{0} tokens', context),
    }));
    return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which model is trained?') }))?.label;
  }
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Which model is trained?'),
    prompt: failure === null ? vscode.l10n.t('{0} does not say what it serves.', url) : failure.message,
    value: hosted.model,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('It needs a name.') : null),
  });
}
