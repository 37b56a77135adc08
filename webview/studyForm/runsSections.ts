/** The base, the seeds and the budget. */
import * as l10n from '@vscode/l10n';
import { expectedWork } from '../../src/shared/experiment/workload.ts';
import { budgetKinds } from '../../src/features/study/contract/file.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { button } from '../lib/components/button.ts';
import { textField } from '../lib/components/textField.ts';
import { whileTyping } from '../lib/components/whileTyping.ts';
import { element } from '../lib/element.ts';
import { listOf, seedsOf } from './model.ts';
import { choiceRow, labelled, numberRow, section, type Editing, type Section } from './section.ts';
import { plain, textOf, valuesIn } from './values.ts';
import { budgetAmount, budgetKindOf } from './budget.ts';

export function baseSection(editing: Editing): Section {
  const experiments = editing.plan()?.experiments ?? [];
  const named = (): string => plain(editing.value(['base']));
  const list = choiceRow({
    label: l10n.t('Experiment'),
    choices: [
      ...(named() === '' ? [{ value: '', text: l10n.t('Choose an experiment…') }] : []),
      ...experiments.map((one) => ({ value: one, text: one })),
    ],
    value: named,
    change: (to) => {
      if (to !== '') editing.now(['base'], to);
    },
  });
  const open = button({ text: l10n.t('Open Experiment'), press: () => editing.openBase() });
  const make = button({ text: l10n.t('New Experiment…'), press: () => editing.newExperiment() });
  const facts = element('p', { class: 'facts' });
  return section(
    {
      title: l10n.t('Base Experiment'),
      about: l10n.t(
        'The experiment that every arm changes. Its own seed, length and budget are replaced by those below.',
      ),
      field: 'base',
      openText: (place) => editing.openText(place),
    },
    () => {
      list.update();
      open.disabled = named() === '';
      const base = editing.plan()?.base ?? null;
      facts.textContent =
        base === null
          ? experiments.length === 0 && editing.plan() !== null
            ? l10n.t('There is no experiment in this workspace yet.')
            : ''
          : l10n.t(
              'Mode {0}, preset {1}, {2} rollouts an epoch',
              ...[base.mode, base.preset, count(expectedWork(base).rollouts.epoch)],
            );
    },
    element('div', { class: 'line' }, list.node, open, make),
    facts,
  );
}

export function seedsSection(editing: Editing): Section {
  const seeds = (): readonly unknown[] => listOf(editing.value(['seeds']));
  const many = numberRow(editing, {
    ...{ label: l10n.t('How many'), path: ['seeds'], usual: 8, whole: true, least: 1, most: 1000 },
    value: () => seeds().length,
    set: (to) => {
      if (to >= 1 && to <= 1000 && to !== seeds().length) editing.later(['seeds'], seedsOf(seeds(), to));
    },
  });
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  const list = textField({
    name: l10n.t('Seeds'),
    input(text) {
      const found = valuesIn(text, 'seed');
      const good = 'values' in found && found.values.length > 0 && found.values.every((one) => Number.isInteger(one));
      trouble.hidden = good;
      trouble.textContent = good ? '' : l10n.t('Whole numbers with commas between them.');
      if (good) editing.later(['seeds'], found.values);
    },
    commit: () => editing.flush(),
  });
  const show = whileTyping(list, {
    text: (value) => textOf(listOf(value)),
    read: (text) => {
      const found = valuesIn(text, 'seed');
      return 'values' in found ? found.values : undefined;
    },
  });
  list.node.dataset['key'] = 'seeds';
  list.node.classList.add('wide');
  return section(
    {
      title: l10n.t('Seeds'),
      about: l10n.t('Every arm runs once with each, so that arms are compared in pairs.'),
      field: 'seeds',
      openText: (place) => editing.openText(place),
    },
    () => {
      many.update();
      if (show(seeds())) trouble.hidden = true;
    },
    element('div', { class: 'line' }, many.node, labelled(l10n.t('Seeds'), list.node, trouble)),
  );
}

export function budgetSection(editing: Editing): Section {
  const kind = (): string => budgetKindOf(editing.value(['budget'])) ?? '';
  const words = {
    rollouts: l10n.t('rollouts'),
    tokens: l10n.t('tokens'),
    updates: l10n.t('updates of the agent'),
    seconds: l10n.t('seconds'),
  };
  const list = choiceRow({
    label: l10n.t('Counted in'),
    choices: budgetKinds.map((value) => ({ value, text: words[value] })),
    value: kind,
    change: (to) => {
      const one = budgetKinds.find((other) => other === to);
      if (one !== undefined) editing.now(['budget'], { [one]: budgetAmount(one, editing.plan()?.base ?? null) });
    },
  });
  const amount = numberRow(editing, {
    ...{ label: l10n.t('Each run spends'), path: ['budget', kind()], usual: 1, least: 1, step: 'ratio' },
    whole: kind() !== 'seconds',
    value: () => editing.value(['budget', kind()]),
    set: (to) => {
      if (kind() !== '') editing.later(['budget', kind()], to);
    },
  });
  return section(
    {
      title: l10n.t('Budget'),
      about: l10n.t('Every run gets the same, and ends with the epoch in which it is spent.'),
      field: 'budget',
      openText: (place) => editing.openText(place),
    },
    () => {
      list.update();
      amount.update();
    },
    element('div', { class: 'line' }, amount.node, list.node),
  );
}
