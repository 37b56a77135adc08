/** The table's filter: text, state, tag, study; its grouping. */
import * as l10n from '@vscode/l10n';
import { runStates, type RunRow } from '../../src/features/runTable/contract.ts';
import { element } from '../lib/element.ts';
import { groupings, start, type Grouping, type View } from './arrange.ts';
import { stateWord } from './cells.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';

export class FilterBar {
  readonly node = element('div', { class: 'filter-bar', role: 'search' });
  readonly #text: HTMLInputElement;
  readonly #state = element('select', { class: 'choice', 'aria-label': l10n.t('State') });
  readonly #tag = element('select', { class: 'choice', 'aria-label': l10n.t('Tag') });
  readonly #study = element('select', { class: 'choice', 'aria-label': l10n.t('Study') });
  readonly #group = element('select', { class: 'choice', 'aria-label': l10n.t('Group') });
  readonly #archived = element('input', { type: 'checkbox' });
  readonly #count = element('span', { class: 'count', role: 'status' });
  readonly #clear = element('button', { type: 'button', class: 'button', hidden: '' }, l10n.t('Clear the Filter'));

  constructor(changed: (change: Partial<View>) => void) {
    this.#text = element('input', {
      ...{ type: 'search', class: 'input', 'aria-label': l10n.t('Filter runs'), spellcheck: 'false' },
      placeholder: l10n.t('Filter: name, setting, #tag, note'),
    });
    this.#text.addEventListener('input', () => changed({ text: this.#text.value }));
    this.#state.addEventListener('change', () => {
      changed({ state: runStates.find((one) => one === this.#state.value) ?? null });
    });
    this.#tag.addEventListener('change', () => changed({ tag: this.#tag.value === '' ? null : this.#tag.value }));
    this.#study.addEventListener('change', () =>
      changed({ study: this.#study.value === '' ? null : this.#study.value }),
    );
    this.#group.addEventListener('change', () => {
      changed({ group: groupings.find((one) => one === this.#group.value) ?? 'none' });
    });
    this.#archived.addEventListener('change', () => changed({ archived: this.#archived.checked }));
    this.#clear.addEventListener('click', () => {
      const { text, state, tag, study } = start;
      changed({ text, state, tag, study });
      this.#text.focus();
    });
    this.node.append(
      this.#text,
      this.#state,
      this.#tag,
      this.#study,
      this.#group,
      element('label', { class: 'check' }, this.#archived, l10n.t('Archived')),
      this.#clear,
      this.#count,
    );
  }

  focus(): void {
    this.#text.focus();
    this.#text.select();
  }

  show(view: View, rows: readonly RunRow[], matching: number): void {
    if (this.#text.value !== view.text) this.#text.value = view.text;
    const tags = [...new Set(rows.flatMap((row) => row.tags))].sort();
    const studies = [...new Set(rows.flatMap(({ study }) => study?.name ?? []))].sort();
    const option = (value: string, text: string): [string, string] => [value, text];
    fill(
      this.#state,
      [option('', l10n.t('Any state')), ...runStates.map((state) => option(state, stateWord(state)))],
      view.state,
    );
    fill(this.#tag, [option('', l10n.t('Any tag')), ...tags.map((tag) => option(tag, `#${tag}`))], view.tag);
    fill(this.#study, [option('', l10n.t('Any study')), ...studies.map((name) => option(name, name))], view.study);
    fill(
      this.#group,
      groupings.map((group) => option(group, groupWord(group))),
      view.group,
    );
    this.#tag.hidden = tags.length === 0 && view.tag === null;
    this.#study.hidden = studies.length === 0 && view.study === null;
    this.#archived.checked = view.archived;
    const narrowed = view.text !== '' || view.state !== null || view.tag !== null || view.study !== null;
    this.#clear.hidden = !narrowed;
    this.#count.textContent =
      matching === rows.length
        ? l10n.t('{0} runs', count(rows.length))
        : l10n.t('{0} of {1} runs', count(matching), count(rows.length));
  }
}

function groupWord(group: Grouping): string {
  const words: Record<Grouping, string> = {
    none: l10n.t('No groups'),
    study: l10n.t('By study'),
    arm: l10n.t('By arm'),
    seed: l10n.t('By seed'),
    experiment: l10n.t('By experiment'),
  };
  return words[group];
}

/** Made anew only when they are others: an open list must not close. */
function fill(select: HTMLSelectElement, wanted: readonly [string, string][], chosen: string | null): void {
  const options = wanted.some(([value]) => value === (chosen ?? ''))
    ? wanted
    : [...wanted, [chosen ?? '', chosen ?? ''] as const];
  const same =
    select.options.length === options.length && options.every(([value], i) => select.options[i]?.value === value);
  if (!same) {
    select.replaceChildren(...options.map(([value, text]) => element('option', { value }, text)));
  }
  select.value = chosen ?? '';
}
