/** The name of a health flag. */
import * as l10n from '@vscode/l10n';
import type { FlagName } from '../../tasks/contract.ts';

export const flagWord = (flag: FlagName): string =>
  ({
    unverifiable: l10n.t('unverifiable'),
    'gold-disagrees': l10n.t('gold disagrees'),
    'not-deterministic': l10n.t('not deterministic'),
    'coin-flip': l10n.t('coin flip'),
    duplicate: l10n.t('duplicate'),
    'held-out': l10n.t('held-out'),
    truncated: l10n.t('truncated'),
    dead: l10n.t('dead group'),
  })[flag];
