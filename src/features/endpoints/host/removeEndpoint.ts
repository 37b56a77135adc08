/** Remove Endpoint…: asks first, and offers to forget a key that nothing else here needs. */
import * as vscode from 'vscode';
import { keyReference } from '../../../launch/access/keys.ts';
import type { RememberedEndpoint, UnusableEndpoint } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { changeRemembered, remembered } from '../../../host/servers/rememberedEndpoints.ts';

export async function removeEndpoint(entry: RememberedEndpoint | UnusableEndpoint, keys: HostKeys): Promise<void> {
  const secrets = 'endpoint' in entry ? ownSecrets(entry, keys) : [];
  const remove = vscode.l10n.t('Remove');
  const both = vscode.l10n.t('Remove and Forget Its Key');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove the endpoint “{0}”?', entry.name ?? String(entry.index + 1)),
    {
      modal: true,
      detail: [
        vscode.l10n.t('Experiments and runs that have its address keep it.'),
        ...(secrets.length === 0
          ? []
          : [vscode.l10n.t('Its key “{0}” stays in the secret storage unless you forget it.', secrets.join(', '))]),
      ].join(' '),
    },
    remove,
    ...(secrets.length === 0 ? [] : [both]),
  );
  if (chosen === undefined) return;
  await changeRemembered((entries) => entries.filter((_, i) => i !== entry.index));
  if (chosen === both) for (const name of secrets) await keys.forget(name);
}

/** Names in the secret storage that are kept and that no other remembered endpoint refers to. */
function ownSecrets(entry: RememberedEndpoint, keys: HostKeys): string[] {
  const others = new Set(remembered().flatMap((one) => (one.index === entry.index ? [] : secretsOf(one))));
  return secretsOf(entry).filter((name) => !others.has(name) && keys.names.includes(name));
}

function secretsOf({ endpoint }: RememberedEndpoint): string[] {
  const references = [endpoint.key, ...(endpoint.kind === 'verl' ? [endpoint.samplerKey] : [])];
  return references.flatMap((reference) => {
    if (reference === null) return [];
    const { place, name } = keyReference(reference);
    return place === 'secret' ? [name] : [];
  });
}
