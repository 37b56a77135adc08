/** One of the remembered endpoints of a kind, where there are any. */
import * as vscode from 'vscode';
import { addressesText } from '../../launch/access/address.ts';
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { remembered } from './rememberedEndpoints.ts';

type Remote = Exclude<Endpoint, { kind: 'embedded' }>;
type OfKind<K extends Remote['kind']> = Extract<Remote, { kind: K }>;

/** Null: another one, or none is remembered. Undefined: it was given up. */
export async function pickRemembered<K extends Remote['kind']>(kind: K): Promise<OfKind<K> | null | undefined> {
  const isOfKind = (endpoint: Remote): endpoint is OfKind<K> => endpoint.kind === kind;
  const items = remembered().flatMap(({ name, endpoint }) => {
    const where = addressesText(endpoint.url).map(({ text }) => text);
    const { model } = endpoint;
    return isOfKind(endpoint) ? [{ label: name, description: where.join(', '), detail: model, endpoint }] : [];
  });
  if (items.length === 0) return null;
  const other = { label: vscode.l10n.t('Another one…'), endpoint: null };
  const picked = await vscode.window.showQuickPick<{ label: string; endpoint: OfKind<K> | null }>([...items, other], {
    title: vscode.l10n.t('Which of your saved endpoints?'),
    matchOnDescription: true,
  });
  return picked?.endpoint;
}
