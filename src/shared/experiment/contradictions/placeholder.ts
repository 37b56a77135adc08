/** Addresses that a template leaves to be filled in. */
import * as l10n from '@vscode/l10n';
import type { Check } from './contradiction.ts';

/** No host ends so, ever (RFC 6761). */
export const placeholderEnding = '.invalid';

export const isPlaceholder = (url: string): boolean =>
  url.split(/[\s,]+/).some((one) => URL.canParse(one) && new URL(one).hostname.endsWith(placeholderEnding));

export const unfilledAddress =
  (role: 'agent' | 'environment'): Check =>
  ({ endpoints }) => {
    const endpoint = endpoints[role];
    if (endpoint.kind === 'embedded' || !isPlaceholder(endpoint.url)) return null;
    const field = `endpoints.${role}.url`;
    return {
      fields: [field, 'preset'],
      message: l10n.t('{0} is a placeholder and names no server: this {1} needs one with a GPU.', field, role),
      remedy: l10n.t('Give the address of your training server, or drag one here from the view Endpoints.'),
      severity: 'error',
    };
  };
