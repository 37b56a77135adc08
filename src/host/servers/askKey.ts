/** Where the key of an endpoint is: nowhere, in an environment variable, or in the secret storage; never the key itself. */
import * as vscode from 'vscode';

export interface KeyPlaces {
  title: string;
  /** Name in the secret storage that is offered. */
  secret: string;
  /** Environment variable that is offered. */
  variable: string;
  /** Whether servers of this kind usually ask for one. */
  usual: boolean;
  /** Beside “No key”. */
  none: string;
}

const referencePattern = /^\$\{(?:env|secret):[A-Za-z_][\w.-]*\}$/;

/** Null: it needs none. Undefined: it was given up. */
export async function askKey(places: KeyPlaces): Promise<string | null | undefined> {
  const { title, secret, variable, usual, none } = places;
  const noKey = { label: vscode.l10n.t('No key'), description: none, key: null };
  const stored = {
    label: vscode.l10n.t('Secret storage of this editor'),
    description: vscode.l10n.t('asked for once, under the name “{0}”', secret),
    key: `\${secret:${secret}}`,
  };
  const inEnvironment = {
    label: vscode.l10n.t('Environment variable {0}', variable),
    description: process.env[variable] === undefined ? vscode.l10n.t('not set in this window') : '',
    key: `\${env:${variable}}`,
  };
  const other = { label: vscode.l10n.t('Another place…'), description: '${env:NAME}, ${secret:NAME}', key: undefined };
  const order = usual ? [stored, inEnvironment, other, noKey] : [noKey, stored, inEnvironment, other];
  const picked = await vscode.window.showQuickPick(order, { ignoreFocusOut: true, title });
  return picked === undefined ? undefined : picked.key === undefined ? typeReference() : picked.key;
}

/** A key pasted here is refused with the reason. */
function typeReference(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Where is its key?'),
    prompt: vscode.l10n.t('${env:NAME} is an environment variable, ${secret:NAME} the secret storage of this editor.'),
    value: '${env:}',
    valueSelection: [6, 6],
    ignoreFocusOut: true,
    validateInput: (text) =>
      referencePattern.test(text)
        ? null
        : vscode.l10n.t(
            'Give ${env:NAME} or ${secret:NAME}. A key itself is never written down: files and settings are plain text that is synced and shared.',
          ),
  });
}
