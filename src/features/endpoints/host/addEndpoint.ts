/** Add Endpoint…: kind, address, key, a model that the server itself offers, a name; checked at once. */
import * as vscode from 'vscode';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import { addressesText, type RemoteEndpoint } from '../../../launch/access/address.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { lookAt } from '../../../launch/policies/lookAt.ts';
import { endpointDefaults, type Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { freeName, writtenRemembered } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { askNewCluster } from '../../../host/servers/askCluster.ts';
import { askNewServer } from '../../../host/servers/askServer.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { allRemembered, changeRemembered } from '../../../host/servers/rememberedEndpoints.ts';

type Kind = RemoteEndpoint['kind'];

/** Its name; undefined when it was given up. */
export async function addEndpoint(keys: HostKeys): Promise<string | undefined> {
  const kind = await askKind();
  if (kind === undefined) return undefined;
  const endpoint = await askEndpoint(kind, keys);
  if (endpoint === undefined) return undefined;
  const name = await askName(freeName(wishedName(endpoint), takenNames()));
  if (name === undefined) return undefined;
  await changeRemembered((entries) => [...entries, writtenRemembered({ name, endpoint })]);
  return name;
}

/** One that is used already, under a name. Undefined when it was given up. */
export async function keepEndpoint(endpoint: RemoteEndpoint): Promise<string | undefined> {
  const name = await askName(freeName(wishedName(endpoint), takenNames()));
  if (name !== undefined) await changeRemembered((entries) => [...entries, writtenRemembered({ name, endpoint })]);
  return name;
}

async function askKind(): Promise<Kind | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        server: 'tinker' as const,
        label: `$(server-environment) ${vscode.l10n.t('Tinker or SkyRL')}`,
        detail: vscode.l10n.t('Trains and samples: the hosted service, a SkyRL server, “genenv serve”.'),
      },
      {
        server: 'openai' as const,
        label: `$(comment-discussion) ${vscode.l10n.t('OpenAI-compatible server')}`,
        detail: vscode.l10n.t('Only samples: vLLM, SGLang, llama.cpp, Ollama, hosted models.'),
      },
      {
        server: 'verl' as const,
        label: `$(server-process) ${vscode.l10n.t('verl on Ray')}`,
        detail: vscode.l10n.t('Trains by whole jobs on a cluster, with a vLLM server beside it.'),
      },
    ],
    {
      ignoreFocusOut: true,
      title: vscode.l10n.t('Add an endpoint'),
      placeHolder: vscode.l10n.t('What kind of server is it?'),
    },
  );
  return picked?.server;
}

async function askEndpoint(kind: Kind, keys: HostKeys): Promise<RemoteEndpoint | undefined> {
  if (kind === 'verl') {
    const cluster = await askNewCluster(keys);
    return cluster === undefined ? undefined : { ...endpointDefaults.verl, ...cluster };
  }
  const server = await askNewServer(kind, keys);
  if (server === undefined) return undefined;
  const { url, key, model } = server;
  return kind === 'tinker'
    ? { ...endpointDefaults.tinker, url, key, model }
    : { ...endpointDefaults.openai, url, key, model };
}

const takenNames = (): string[] => allRemembered().flatMap(({ name }) => name ?? []);

/** Undefined when it was given up. */
export function askName(value: string, own?: string): Thenable<string | undefined> {
  const taken = takenNames().filter((name) => name !== own);
  return vscode.window
    .showInputBox({
      title: vscode.l10n.t('Name of the endpoint'),
      prompt: vscode.l10n.t('Its name in lists'),
      ...{ value, ignoreFocusOut: true },
      validateInput: (text) =>
        text.trim() === ''
          ? vscode.l10n.t('It needs a name.')
          : taken.includes(text.trim())
            ? vscode.l10n.t('Another endpoint has this name.')
            : null,
    })
    .then((text) => text?.trim());
}

function wishedName({ kind, url, model }: Endpoint & RemoteEndpoint): string {
  if (kind === 'tinker' && url === endpointDefaults.tinker.url) return 'Tinker';
  const [first] = addressesText(url);
  const host = first === undefined ? url : first.text.replace(/^\w+:\/*/, '').split('/')[0];
  return `${model.split('/').at(-1) ?? model} @ ${host === '' || host === undefined ? kind : host}`;
}

/** Its current state, in one message with the next steps. */
export async function checkEndpoint(
  name: string,
  endpoint: RemoteEndpoint,
  keys: Keys,
): Promise<'doctor' | 'use' | null> {
  const doctor = vscode.l10n.t('Endpoint Doctor');
  const use = vscode.l10n.t('Use in Experiment…');
  const chosen = await said(name, endpoint, keys, doctor, use);
  return chosen === doctor ? 'doctor' : chosen === use ? 'use' : null;
}

async function said(
  name: string,
  endpoint: RemoteEndpoint,
  keys: Keys,
  ...buttons: string[]
): Promise<string | undefined> {
  try {
    const { models } = await lookAt(endpoint, keys, AbortSignal.timeout(20_000));
    const served = models.length === 0 || models.some((one) => one.name === endpoint.model);
    const text = served
      ? vscode.l10n.t('“{0}” is saved, and it answers.', name)
      : vscode.l10n.t('“{0}” is saved, and it answers; but it does not serve “{1}”.', name, endpoint.model);
    return await (served ? vscode.window.showInformationMessage : vscode.window.showWarningMessage)(text, ...buttons);
  } catch (error) {
    if (!EndpointError.is(error) && !KeyError.is(error)) throw error;
    return vscode.window.showWarningMessage(vscode.l10n.t('“{0}” is saved. {1}', name, error.message), ...buttons);
  }
}
