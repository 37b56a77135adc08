/** Fields with lists of values: the grid, and what varies with the seed. */
import * as l10n from '@vscode/l10n';
import { isFieldPath } from '../../src/shared/experiment/fields.ts';
import { kindOf } from '../../src/shared/experiment/kind.ts';
import { at } from '../../src/shared/experiment/resolve.ts';
import { button } from '../lib/components/button.ts';
import { checkbox } from '../lib/components/checkbox.ts';
import { textField } from '../lib/components/textField.ts';
import { whileTyping } from '../lib/components/whileTyping.ts';
import { element } from '../lib/element.ts';
import { fieldPicker, fieldWords } from './fieldPicker.ts';
import { entriesOf, listOf } from './model.ts';
import { section, type Editing, type Row, type Section } from './section.ts';
import { textOf, valuesIn } from './values.ts';

export const gridSection = (editing: Editing): Section =>
  valuesSection(editing, {
    field: 'grid',
    title: l10n.t('Grid'),
    about: l10n.t('Fields to go through: every arm runs with every combination of their values.'),
    add: l10n.t('Add Field to the Grid'),
  });

export const bySeedSection = (editing: Editing): Section =>
  valuesSection(editing, {
    field: 'bySeed',
    title: l10n.t('Varies with the Seed'),
    about: l10n.t(
      'Fields with one value for each seed, in their order, such as warm starts or base tasks: intervals then cover them too.',
    ),
    add: l10n.t('Add Field by Seed'),
  });

interface Kind {
  field: 'grid' | 'bySeed';
  title: string;
  about: string;
  add: string;
}

function valuesSection(editing: Editing, { field, title, about, add }: Kind): Section {
  const names = entriesOf(editing.value([field])).map(([name]) => name);
  const rows = names.map((name) => valuesRow(editing, field, name));
  const picker = fieldPicker({
    ...{ name: add, add, key: `pick ${field}`, base: editing.plan()?.base ?? null, used: names },
    fits: (kind) => kind !== 'list' && kind !== 'section',
    pick: (one) => {
      editing.now([field, one], startOf(editing, field, one));
      editing.focus(`${field}.${one}`);
    },
  });
  return section(
    { title, about, field, openText: (place) => editing.openText(place) },
    () => {
      for (const row of rows) row.update();
    },
    ...rows.map(({ node }) => node),
    picker,
  );
}

/** The base's value; of a grid's choices all, by seed one for each. */
function startOf(editing: Editing, field: Kind['field'], name: string): unknown[] {
  const kind = isFieldPath(name) ? kindOf(name) : null;
  const base = at(editing.plan()?.base ?? null, name.split('.')) ?? null;
  if (field === 'bySeed') return listOf(editing.value(['seeds'])).map(() => base);
  if (kind?.kind === 'choice') return [...kind.choices];
  return kind?.kind === 'flag' ? [true, false] : [base];
}

function valuesRow(editing: Editing, field: Kind['field'], name: string): Row {
  const path = [field, name];
  const kind = isFieldPath(name) ? kindOf(name) : null;
  const words = fieldWords(name);
  const remove = button({
    text: l10n.t('Remove'),
    name: l10n.t('Remove {0}', words),
    press: () => editing.leaveOut(path),
  });
  const own =
    field === 'grid' && kind?.kind === 'choice'
      ? choices(editing, path, words, kind.choices)
      : texts(editing, path, words);
  return {
    node: element(
      'div',
      { class: 'values', role: 'group', 'aria-label': words },
      element('span', { class: 'label' }, words),
      element('div', { class: 'control' }, own.node, remove),
      element('p', { class: 'base-value' }, hint(field, kind?.kind)),
    ),
    update: () => own.update(),
  };
}

function hint(field: Kind['field'], kind: string | undefined): string {
  if (field === 'bySeed') return l10n.t('One value for each seed, with commas between them.');
  return kind === 'choice' ? l10n.t('Tick the values to go through.') : l10n.t('Values with commas between them.');
}

function choices(editing: Editing, path: string[], words: string, all: readonly string[]): Row {
  const boxes = all.map((one) => {
    const box = checkbox({
      text: one,
      change: (on) => {
        const now = listOf(editing.value(path));
        const next = all.filter((other) => (other === one ? on : now.includes(other)));
        // A list without values is none: the last one stays until another is ticked.
        if (next.length === 0) box.set(true);
        else editing.now(path, next);
      },
    });
    box.node.dataset['key'] = `${path.join('.')} ${one}`;
    return { one, box };
  });
  return {
    node: element('div', { class: 'boxes', role: 'group', 'aria-label': words }, ...boxes.map(({ box }) => box.node)),
    update() {
      const now = listOf(editing.value(path));
      for (const { one, box } of boxes) box.set(now.includes(one));
    },
  };
}

function texts(editing: Editing, path: string[], words: string): Row {
  const [, name = ''] = path;
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  const complain = (wrong: string): void => {
    trouble.hidden = wrong === '';
    trouble.textContent = wrong;
    control.complain(wrong);
  };
  const control = textField({
    name: l10n.t('Values of {0}', words),
    input(text) {
      const found = valuesIn(text, isFieldPath(name) ? name : null);
      const wrong =
        'wrong' in found
          ? l10n.t('“{0}” is no value of this field.', found.wrong)
          : found.values.length === 0
            ? l10n.t('One value at least.')
            : '';
      complain(wrong);
      if (wrong === '' && 'values' in found) editing.later(path, found.values);
    },
    commit: () => editing.flush(),
  });
  const show = whileTyping(control, {
    text: (value) => textOf(listOf(value)),
    read: (text) => {
      const found = valuesIn(text, isFieldPath(name) ? name : null);
      return 'values' in found ? found.values : undefined;
    },
  });
  control.node.dataset['key'] = path.join('.');
  return {
    node: element('div', { class: 'text-values' }, control.node, trouble),
    update() {
      if (show(listOf(editing.value(path)))) complain('');
    },
  };
}
