/** The source: a file, a run's tasks, or a pool with its weights; and facts of all of it. */
import * as l10n from '@vscode/l10n';
import type { TasksSource } from '../../src/features/tasks/contract.ts';
import { count, number } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import { element } from '../lib/element.ts';
import { prose } from '../lib/symbols.ts';

export interface SourceHead {
  node: HTMLElement;
  show: (source: TasksSource) => void;
}

/** @param showDamaged a person wants to see the damaged lines alone */
export function sourceHead(showDamaged: () => void): SourceHead {
  const title = element('h1');
  const about = element('p', { class: 'about quiet' });
  const notes = element('ul', { class: 'notes' });
  return {
    node: element('header', { class: 'source' }, title, about, notes),
    show(source) {
      const { name, pool } = source;
      title.textContent =
        pool === null ? l10n.t('Tasks of {0}', name) : l10n.t('{0} of {1}', poolName(pool.name), name);
      const facts = pool === null ? [] : poolFacts(pool, source.tasks);
      about.replaceChildren(...prose(facts.join(' · ')));
      about.hidden = facts.length === 0;
      const held = notesOf(source);
      notes.hidden = held.length === 0 && source.damaged === 0;
      notes.replaceChildren(
        ...held.map((text) =>
          element('li', {}, element('span', { class: 'codicon codicon-info', 'aria-hidden': 'true' }), ' ', text),
        ),
        ...(source.damaged === 0 ? [] : [damagedNote(source.damaged, showDamaged)]),
      );
    },
  };
}

function damagedNote(lines: number, show: () => void): HTMLElement {
  const text =
    lines === 1
      ? l10n.t('1 line is damaged: it is not a task, and saving keeps it as it is.')
      : l10n.t('{0} lines are damaged: they are not tasks, and saving keeps them as they are.', count(lines));
  const link = element('button', { type: 'button', class: 'link' }, l10n.t('Show Damaged Lines'));
  link.addEventListener('click', show);
  const icon = element('span', { class: 'codicon codicon-warning', 'aria-hidden': 'true' });
  return element('li', {}, ...[icon, ' ', text, ' ', link]);
}

type Pool = NonNullable<TasksSource['pool']>;

const poolName = (name: Pool['name']): string =>
  ({ agent: l10n.t('Agent pool'), environment: l10n.t('Environment pool') })[name];

function poolFacts({ epoch, effectiveSampleSize, provenance }: Pool, tasks: number): string[] {
  const size = effectiveSampleSize;
  return [
    l10n.t('after epoch {0}', count(epoch)),
    ...(size === null || tasks === 0
      ? []
      : [
          l10n.t(
            'effective sample size {0} of {1} ({2})',
            number(Math.round(size * 10) / 10),
            count(tasks),
            percent(size / tasks),
          ),
        ]),
    ...(provenance === '' ? [] : [provenance]),
  ];
}

/** Why nothing can be changed here; null when it can. */
export const whyFixed = ({ kind, trusted }: TasksSource): string | null =>
  trusted || kind === 'file' ? null : l10n.t('Tasks of a run can be changed in trusted folders only.');

function notesOf(source: TasksSource): string[] {
  const fixed = whyFixed(source);
  return [
    ...(fixed === null ? [] : [fixed]),
    ...(source.live
      ? [l10n.t('The run is being written: what is saved here holds from its next epoch that is not sampled yet.')]
      : []),
  ];
}
