/** The arms: named changes of the base, each a card. */
import * as l10n from '@vscode/l10n';
import type { FieldPath, FieldValue } from '../../src/shared/experiment/field.ts';
import { isFieldPath } from '../../src/shared/experiment/fields.ts';
import { kindOf } from '../../src/shared/experiment/kind.ts';
import { at, isObject } from '../../src/shared/experiment/resolve.ts';
import type { Path } from '../../src/shared/experiment/text/jsonText.ts';
import { control } from '../experiment/control.ts';
import { presetWords } from '../experiment/fieldRow.ts';
import { button } from '../lib/components/button.ts';
import { textField } from '../lib/components/textField.ts';
import { element } from '../lib/element.ts';
import { fieldPicker, fieldWords } from './fieldPicker.ts';
import { entriesOf, freeName, missingIn } from './model.ts';
import { labelled, section, type Editing, type Row, type Section } from './section.ts';
import { suggestions } from './suggestions.ts';

export function armsSection(editing: Editing): Section {
  const arms = entriesOf(editing.value(['arms']));
  const names = arms.map(([name]) => name);
  const cards = arms.map(([name, changes]) => armCard(editing, name, changes, names));
  const add = button({
    text: l10n.t('Add Arm'),
    press: () => {
      // Without arms the base is the one arm: it stays one of them.
      const added = names.length === 0 ? 'arm 2' : freeName(names, 'arm');
      if (names.length === 0) editing.now(['arms'], { base: {}, [added]: {} });
      else editing.now(['arms', added], {});
      editing.focus(`name ${added}`);
    },
  });
  add.dataset['key'] = 'add arm';
  const proposed = element(
    'ul',
    { class: 'suggestions', 'aria-label': l10n.t('Suggested arms') },
    ...suggestions(editing.plan()?.base ?? null).map(({ label, detail, arms: suggested, grid }) =>
      element(
        'li',
        {},
        button({
          text: label,
          press: () => {
            replace(editing, 'arms', suggested);
            replace(editing, 'grid', grid);
          },
        }),
        element('span', {}, detail),
      ),
    ),
  );
  return section(
    {
      title: l10n.t('Arms'),
      about: l10n.t('What is compared: each arm is the base with some changes, and runs with every seed.'),
      field: 'arms',
      openText: (place) => editing.openText(place),
    },
    () => {
      proposed.hidden = !missingIn({
        base: '-',
        arms: editing.value(['arms']),
        grid: editing.value(['grid']),
      }).includes('arms');
      for (const card of cards) card.update();
    },
    proposed,
    element('div', { class: 'cards' }, ...cards.map(({ node }) => node)),
    element('div', { class: 'actions' }, add),
  );
}

function replace(editing: Editing, name: 'arms' | 'grid', to: Readonly<Record<string, unknown>>): void {
  if (Object.keys(to).length > 0) editing.now([name], to);
  else if (editing.value([name]) !== undefined) editing.leaveOut([name]);
}

function armCard(editing: Editing, name: string, changes: unknown, names: readonly string[]): Row {
  const path = ['arms', name];
  const base = (): unknown => editing.plan()?.base ?? null;
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  let typed = name;
  const complain = (text: string): void => {
    trouble.hidden = text === '';
    trouble.textContent = text;
  };
  const field = textField({
    name: l10n.t('Name of the arm'),
    input: (text) => {
      typed = text.trim();
    },
    commit: () => {
      const others = names.filter((one) => one !== name);
      const fault = faultOfName(typed, others);
      complain(fault);
      if (fault !== '' || typed === name) return;
      const isLeft = document.activeElement !== field.node;
      renameArm(editing, name, typed);
      if (!isLeft) editing.focus(`name ${typed}`);
    },
  });
  field.set(name);
  field.node.dataset['key'] = `name ${name}`;
  const remove = button({
    text: l10n.t('Remove'),
    name: l10n.t('Remove arm {0}', name),
    press: () => editing.leaveOut(path),
  });
  const fieldsOf = entriesOf(changes).map(([one]) => one);
  const rows = fieldsOf.map((one) => changeRow(editing, [...path, one], one, fieldsOf.length === 1 ? path : null));
  const picker = fieldPicker({
    ...{ name: l10n.t('Change of arm {0}', name), add: l10n.t('Add Change'), key: `pick ${name}` },
    ...{ base: editing.plan()?.base ?? null, used: fieldsOf },
    fits: (kind) => kind !== 'list' && kind !== 'section',
    pick: (one) => {
      editing.now([...path, one], start(one, at(base(), one.split('.'))));
      editing.focus([...path, one].join('.'));
    },
  });
  return {
    node: element(
      'div',
      { class: 'card', role: 'group', 'aria-label': l10n.t('Arm {0}', name) },
      element('div', { class: 'card-head' }, labelled(l10n.t('Name of the arm'), field.node, trouble), remove),
      ...(rows.length === 0
        ? [element('p', { class: 'as-is' }, l10n.t('The base as it is.'))]
        : rows.map(({ node }) => node)),
      picker,
    ),
    update() {
      for (const row of rows) row.update();
    },
  };
}

function faultOfName(name: string, others: readonly string[]): string {
  if (name === '' || name.length > 60) return l10n.t('A name has 1 to 60 characters.');
  return others.includes(name) ? l10n.t('Another arm is called “{0}”.', name) : '';
}

/** The comparison names its reference by the arm's name. */
function renameArm(editing: Editing, name: string, to: string): void {
  editing.rename(['arms', name], to);
  const reference = editing.value(['comparison', 'reference']);
  if (typeof reference !== 'string') return;
  if (reference === name || reference.startsWith(`${name} · `)) {
    editing.now(['comparison', 'reference'], to + reference.slice(name.length));
  }
}

/** @param only the arm, where this is its only change: an arm without changes stays one */
function changeRow(editing: Editing, path: Path, name: string, only: Path | null): Row {
  const remove = button({
    text: l10n.t('Remove'),
    name: l10n.t('Remove the change of {0}', fieldWords(name)),
    press: () => (only === null ? editing.leaveOut(path) : editing.now(only, {})),
  });
  if (!isFieldPath(name)) {
    const words = element('code', {}, name);
    return { node: element('div', { class: 'change' }, words, remove), update: () => undefined };
  }
  const field = name;
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  const baseValue = (): unknown => at(editing.plan()?.base ?? null, field.split('.'));
  const put = (edit: { path: readonly string[]; to?: unknown }, write: Editing['now']): void => {
    // A method's own fields are reset with it in an experiment; an arm has them apart.
    if (edit.path.join('.') === field) write(path, edit.to ?? null);
  };
  const own = control(
    field,
    {
      later: (edit) => put(edit, (at_, to) => editing.later(at_, to)),
      now: (edit) => put(edit, (at_, to) => editing.now(at_, to)),
      flush: () => editing.flush(),
      browse: (one) =>
        void editing.browse(one).then((to) => {
          if (to !== null) editing.now(path, to);
        }),
      presetValue: baseValue,
      value: () => editing.value(path),
      openText: (place) => editing.openText(place),
    },
    (text) => {
      trouble.hidden = text === '';
      trouble.textContent = text;
    },
  );
  own.input.dataset['key'] = path.join('.');
  const note = element('p', { class: 'base-value' });
  return {
    node: element(
      'div',
      { class: 'change' },
      element('span', { class: 'label' }, fieldWords(field)),
      element('div', { class: 'control' }, own.node, remove),
      note,
      trouble,
    ),
    update() {
      own.show(editing.value(path));
      const before = baseValue();
      note.hidden = before === undefined || isObject(before);
      note.textContent = before === undefined ? '' : l10n.t('Base: {0}', presetWords(field, before));
    },
  };
}

/** Where a change begins: another choice than the base's, else the base's own value to be changed. */
function start(field: FieldPath, base: unknown): FieldValue {
  const kind = kindOf(field);
  if (kind.kind === 'choice') return kind.choices.find((one) => one !== base) ?? '';
  if (kind.kind === 'flag') return base !== true;
  if (typeof base === 'string' || typeof base === 'number' || base === null) return base;
  return kind.kind === 'number' ? (kind.least ?? 0) : '';
}
