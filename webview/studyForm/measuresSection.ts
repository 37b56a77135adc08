/** The measures, which reduce a run to numbers: power and racing go by the first. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../src/shared/experiment/resolve.ts';
import type { Measure } from '../../src/features/study/contract/file.ts';
import { button } from '../lib/components/button.ts';
import { textField } from '../lib/components/textField.ts';
import { whileTyping } from '../lib/components/whileTyping.ts';
import { element } from '../lib/element.ts';
import { listOf } from './model.ts';
import { plain } from './values.ts';
import { labelled, numberRow, section, type Editing, type Row, type Section } from './section.ts';

type Kind = Measure['kind'];

const kinds: readonly Kind[] = ['validation', 'gain', 'evaluation', 'band', 'difficulty', 'reaches'];

const words = (kind: Kind): string =>
  ({
    validation: l10n.t('Success on held-out tasks at the end'),
    gain: l10n.t('Gain: success at the end minus before training'),
    evaluation: l10n.t('pass@1 of the last evaluation on the benchmark'),
    band: l10n.t('Share of later epochs with p̂ in a band'),
    difficulty: l10n.t('Growth of the tasks at the same p̂'),
    reaches: l10n.t('Rollouts until validation reaches a score'),
  })[kind];

const usualMeasures: readonly unknown[] = [{ kind: 'validation' }];

export function measuresSection(editing: Editing): Section {
  const measures = (): readonly unknown[] => listOf(editing.value(['measures']) ?? usualMeasures);
  const rows = measures().map((one, i) => measureRow(editing, one, i, measures));
  const list = element('select', { class: 'select', 'aria-label': l10n.t('Measure to add') });
  list.dataset['key'] = 'add measure';
  list.append(...kinds.map((kind) => element('option', { value: kind }, words(kind))));
  const used = measures().map(kindOf);
  list.value = kinds.find((kind) => !used.includes(kind)) ?? 'reaches';
  const add = button({
    text: l10n.t('Add Measure'),
    press: () => {
      const kind = list.value;
      editing.now(['measures'], [...measures(), { kind, ...(kind === 'reaches' && { score: 0.5 }) }]);
    },
  });
  return section(
    {
      title: l10n.t('Measures'),
      about: l10n.t('The numbers that a run is reduced to. Power and racing go by the first.'),
      field: 'measures',
      openText: (place) => editing.openText(place),
    },
    () => {
      for (const row of rows) row.update();
    },
    element('ol', { class: 'measures' }, ...rows.map(({ node }) => node)),
    element('div', { class: 'picker' }, list, add),
  );
}

const kindOf = (value: unknown): string => (isObject(value) ? plain(value['kind']) : '');

function measureRow(editing: Editing, measure: unknown, i: number, all: () => readonly unknown[]): Row {
  const kind = kinds.find((one) => one === kindOf(measure));
  const name = kind === undefined ? kindOf(measure) : words(kind);
  const rows = kind === undefined ? [] : settingsOf(editing, kind, ['measures', i]);
  const put = (to: readonly unknown[]): void => editing.now(['measures'], to);
  const first = button({
    text: l10n.t('Make First'),
    name: l10n.t('Make first: {0}', name),
    press: () => put([all()[i], ...all().filter((_, j) => j !== i)]),
  });
  first.hidden = i === 0;
  const remove = button({
    text: l10n.t('Remove'),
    name: l10n.t('Remove {0}', name),
    press: () => put(all().filter((_, j) => j !== i)),
  });
  remove.disabled = all().length === 1;
  return {
    node: element(
      'li',
      { class: 'measure' },
      element(
        'div',
        {},
        element('span', { class: 'label' }, name),
        ...rows.map(({ node }) => node),
        element('div', { class: 'actions' }, first, remove),
      ),
    ),
    update() {
      for (const row of rows) row.update();
    },
  };
}

function settingsOf(editing: Editing, kind: Kind, at: (string | number)[]): Row[] {
  const share = { least: 0, most: 1, step: 0.05 };
  const last = (): Row =>
    numberRow(editing, {
      ...{ label: l10n.t('Mean of the last validations'), path: [...at, 'last'], usual: 5, whole: true, least: 1 },
    });
  switch (kind) {
    case 'validation':
    case 'gain':
      return [last()];
    case 'band':
      return [
        numberRow(editing, { ...share, label: l10n.t('From'), path: [...at, 'low'], usual: 0.4 }),
        numberRow(editing, { ...share, label: l10n.t('To'), path: [...at, 'high'], usual: 0.6 }),
      ];
    case 'reaches':
      return [numberRow(editing, { ...share, label: l10n.t('Score'), path: [...at, 'score'], usual: 0.5 }), last()];
    case 'difficulty':
      return [unitRow(editing, [...at, 'of'])];
    case 'evaluation':
      return [];
  }
}

function unitRow(editing: Editing, path: (string | number)[]): Row {
  const label = l10n.t('The domain’s measure');
  const read = (text: string): string | null => (text.trim() === '' ? null : text.trim());
  const control = textField({
    name: label,
    placeholder: l10n.t('the first'),
    input: (text) => editing.later(path, read(text)),
    commit: () => editing.flush(),
  });
  const show = whileTyping(control, { text: plain, read });
  control.node.dataset['key'] = path.join('.');
  return { node: labelled(label, control.node), update: () => void show(editing.value(path)) };
}
