/** One field: its name, its effect, its control, its values elsewhere, and its faults. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields } from '../../src/shared/experiment/fields.ts';
import { kindOf } from '../../src/shared/experiment/kind.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { ProblemList } from '../lib/forms/problemList.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { control, placeOf, words, type ControlHost } from './control.ts';
import type { FormModel } from './formModel.ts';

export interface FieldRow {
  path: FieldPath;
  node: HTMLElement;
  update(model: FormModel): void;
  focus(): void;
  /** Everything that a search looks through, in lower case. */
  text: string;
}

export type RowHost = ControlHost;

/** The row of a field. */
export function fieldRow(path: FieldPath, host: RowHost): FieldRow {
  const { label, symbol, meaning, paper, choices } = fields[path];
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  const own = control(path, host, (text) => {
    trouble.hidden = text === '';
    trouble.textContent = text;
  });
  const reset = button({ text: l10n.t('Reset'), press: () => host.now({ path: placeOf(path) }) });
  reset.classList.add('reset');
  const preset = element('span', {});
  const dim = element('p', { class: 'why', hidden: '' });
  const choice = element('p', { class: 'choice', hidden: '' });
  const problems = new ProblemList((at) => host.openText(at));
  const title = element('span', { class: 'label' }, ...prose(l10n.t(label)));
  const facts = element('p', { class: 'facts' }, preset);
  if (paper !== null) facts.append(element('span', {}, l10n.t('Paper: {0}', l10n.t(paper))));
  const head = element('div', { class: 'head' }, title);
  if (symbol !== undefined) head.append(element('span', { class: 'symbol' }, ...prose(symbol)));
  head.append(element('code', { class: 'path' }, path));
  const node = element(
    'div',
    { class: 'field', 'data-field': path, role: 'group', 'aria-label': spoken(path) },
    element('div', { class: 'about' }, head, element('p', { class: 'meaning' }, ...prose(l10n.t(meaning)))),
    element(
      'div',
      { class: 'setting' },
      element('div', { class: 'control' }, own.node, reset),
      trouble,
      choice,
      facts,
      dim,
      problems.node,
    ),
  );
  return {
    path,
    node,
    focus: () => own.input.focus(),
    text: [label, symbol ?? '', path, meaning, ...Object.keys(choices ?? {})].join(' ').toLowerCase(),
    update(model) {
      const value = model.value(path);
      own.show(value);
      const differs = model.differs(path);
      const inherited = model.presetValue(path);
      node.classList.toggle('differs', differs);
      reset.hidden = !(differs && model.written(path) && inherited !== undefined);
      reset.ariaLabel = l10n.t('Reset {0} to the preset’s {1}', l10n.t(label), presetWords(path, inherited));
      preset.hidden = inherited === undefined;
      preset.textContent = l10n.t('Preset: {0}', presetWords(path, inherited));
      const why = model.irrelevant(path);
      node.classList.toggle('idle', why !== null);
      dim.hidden = why === null;
      dim.replaceChildren(...prose(why ?? ''));
      const meant = typeof value === 'string' ? choices?.[value] : undefined;
      choice.hidden = meant === undefined;
      choice.replaceChildren(...prose(meant === undefined ? '' : l10n.t(meant)));
      problems.update(model.problemsOf(path));
    },
  };
}

function spoken(path: FieldPath): string {
  const { label, symbol } = fields[path];
  return symbol === undefined ? l10n.t(label) : `${l10n.t(label)}, ${symbol}`;
}

/** A preset's value as the field says it. */
export function presetWords(path: FieldPath, value: unknown): string {
  const { none } = fields[path];
  if (value === null) return l10n.t(none ?? 'none');
  const kind = kindOf(path);
  if (kind.kind === 'flag') return value === true ? l10n.t('on') : l10n.t('off');
  return words(value);
}
