/** The actions on tasks, as a context menu. */
import * as l10n from '@vscode/l10n';
import type { TasksBulk } from '../../src/features/tasks/contract.ts';
import { openMenu, type MenuItem } from '../lib/components/menu.ts';
import type { Target } from './actionBar.ts';

export interface MenuHost {
  bulk: (target: Target, what: TasksBulk) => void;
  copy: (target: Target, as: 'json' | 'markdown') => void;
  ask: (form: 'exclude' | 'tag', target: Target) => void;
  open: (id: string) => void;
  reattempt: () => void;
}

/** @param why the reason against changes, and against attempts; null where they are possible */
export function taskMenu(
  target: Target,
  at: { x: number; y: number },
  host: MenuHost,
  why: { changes: string | null; attempts: string | null },
): void {
  const id = Array.isArray(target.ids) && target.ids.length === 1 ? target.ids[0] : undefined;
  const single: (MenuItem | 'line')[] =
    id === undefined
      ? []
      : [
          { text: l10n.t('Open Task'), act: () => host.open(id) },
          { text: l10n.t('Re-attempt Now'), act: () => host.reattempt(), why: why.attempts },
          'line',
        ];
  const change = (text: string, act: () => void): MenuItem => ({ text, act, why: why.changes });
  openMenu(l10n.t('Actions'), at, [
    ...single,
    { text: l10n.t('Copy as JSON'), act: () => host.copy(target, 'json') },
    { text: l10n.t('Copy as Markdown'), act: () => host.copy(target, 'markdown') },
    'line',
    change(l10n.t('Exclude…'), () => host.ask('exclude', target)),
    change(l10n.t('Restore'), () => host.bulk(target, { action: 'restore' })),
    change(l10n.t('Tag…'), () => host.ask('tag', target)),
    'line',
    change(l10n.t('Duplicate as Variation'), () => host.bulk(target, { action: 'duplicate' })),
    change(l10n.t('Send to Seed Tasks'), () => host.bulk(target, { action: 'toSeeds' })),
  ]);
}
