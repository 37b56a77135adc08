/** The data's folder, and a summary of its content. */
import * as l10n from '@vscode/l10n';
import { fieldName } from '../../src/shared/experiment/text/jsonText.ts';
import type { AdapterDataView } from '../../src/features/adapter/contract.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { textRow } from './rows.ts';
import { helpOf } from './schemaText.ts';
import { section, SectionRows } from './sections.ts';
import type { Editing, Section } from './section.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';

export function dataSection(editing: Editing, splits: readonly string[], joins: readonly string[]): Section {
  const rows = new SectionRows(editing);
  const browse = button({ text: l10n.t('Browse…'), press: () => editing.browse() });
  const state = element('p', { class: 'data-state', role: 'status' });
  const found = new Map<string, HTMLElement>();
  const files = (label: string, path: readonly string[]): HTMLElement => {
    const status = element('p', { class: 'found' });
    found.set(path.join('.'), status);
    const row = textRow({
      ...{ label, help: helpOf(path), field: fieldName(path), more: [status] },
      input: (text) => editing.later(path, listOf(text)),
      commit: () => editing.flush(),
      text: (value) => (Array.isArray(value) ? value.join(', ') : ''),
      read: listOf,
    });
    return rows.add(row, path);
  };
  const made = section(
    l10n.t('Data'),
    rows,
    rows.text(l10n.t('Folder'), ['data', 'folder'], { more: [browse] }),
    state,
    rows.text(l10n.t('Where it is offered'), ['data', 'obtain'], { long: true }),
    rows.choice(
      l10n.t('Format'),
      ['data', 'format'],
      ['jsonl', 'json', 'csv', 'tsv', 'ending', 'api-bank', 'bfcl-turns', 'alfworld-steps'],
    ),
    ...splits.map((name) => files(l10n.t('Files of split {0}', name), ['data', 'splits', name, 'files'])),
    ...joins
      .filter((name) => editing.value(['data', 'join', name, 'files']) !== undefined)
      .map((name) => files(l10n.t('Files joined as {0}', name), ['data', 'join', name, 'files'])),
    element(
      'div',
      { class: 'row-actions' },
      button({ text: l10n.t('Splits and Joins as Text'), press: () => editing.asText() }),
    ),
  );
  return {
    ...made,
    showData(data) {
      state.textContent = data.trouble;
      state.hidden = data.trouble === '';
      for (const one of data.splits) say(found.get(`data.splits.${one.name}.files`), splitText(one), one.missing);
      for (const one of data.joins) say(found.get(`data.join.${one.name}.files`), filesText(one.files), one.missing);
    },
  };
}

const listOf = (text: string): string[] =>
  text
    .split(/,(?![^{]*\})/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

const filesText = (files: number): string => (files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files));

function splitText({ files, records, expected }: AdapterDataView['splits'][number]): string {
  const counted =
    records === null
      ? l10n.t('counting…')
      : expected === null || expected === records
        ? l10n.t('{0} records', count(records))
        : l10n.t('{0} records, the authors say {1}', count(records), count(expected));
  return `${filesText(files)}, ${counted}`;
}

function say(node: HTMLElement | undefined, text: string, missing: readonly string[]): void {
  if (node === undefined) return;
  node.textContent = missing.length === 0 ? text : `${text}. ${l10n.t('No file matches {0}', missing.join(', '))}`;
  node.classList.toggle('wrong', missing.length > 0);
}
