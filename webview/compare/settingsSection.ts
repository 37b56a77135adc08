/** The different settings; all settings on demand. */
import type { ComparedRun } from '../../src/features/compare/contract.ts';
import { fieldAt } from '../../src/shared/experiment/fields.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { Table } from '../lib/lists/table.ts';
import { letterOf, settingLines } from './differences.ts';

export class SettingsSection {
  readonly node: HTMLElement;
  readonly #reading = element('p', { class: 'section-reading' });
  readonly #toggle = element('button', { type: 'button', class: 'button' });
  readonly #place = element('div');
  #table: Table | null = null;

  constructor(onToggle: () => void) {
    this.#toggle.addEventListener('click', onToggle);
    const heading = element('h2', { id: 'settings-title' }, l10n.t('Settings'));
    this.node = element(
      'section',
      { id: 'settings', 'aria-labelledby': 'settings-title' },
      element('div', { class: 'section-head' }, heading, this.#toggle),
      this.#reading,
      this.#place,
    );
  }

  update(runs: readonly ComparedRun[], all: boolean): void {
    const lines = settingLines(runs);
    const differing = lines.filter(({ differs }) => differs);
    const shown = all ? lines : differing;
    this.#toggle.textContent = all ? l10n.t('Show What Differs') : l10n.t('Show All {0}', lines.length);
    this.#reading.textContent =
      differing.length === 0
        ? l10n.t('No setting differs: these runs repeat each other, seed included.')
        : differing.length === 1
          ? l10n.t('One of {0} settings differs.', lines.length)
          : l10n.t('{0} of {1} settings differ.', differing.length, lines.length);
    const source = {
      columns: [
        { title: l10n.t('Setting') },
        ...runs.map((run, i) => ({ title: `${letterOf(i)} ${run.name}` })),
        { title: l10n.t('What it does'), wide: true },
      ],
      count: shown.length,
      row: (i: number) => {
        const line = shown[i];
        return line === undefined ? [] : [nameOf(line.path), ...line.values, meaningOf(line.path)];
      },
    };
    if (shown.length === 0) {
      this.#table?.node.remove();
      this.#table = null;
    } else if (this.#table === null) {
      this.#table = new Table(l10n.t('Settings of the runs'), source);
      this.#place.append(this.#table.node);
    } else this.#table.show(source);
  }
}

/** `α · curriculum.alpha`. */
function nameOf(path: string): string {
  const symbol = fieldAt(path)?.symbol ?? '';
  return symbol === '' ? path : `${symbol} · ${path}`;
}

function meaningOf(path: string): string {
  const meaning = fieldAt(path)?.meaning;
  return meaning === undefined ? '' : l10n.t(meaning);
}
