/** How arms are compared, and whether some stop early. */
import * as l10n from '@vscode/l10n';
import { isObject } from '../../src/shared/experiment/resolve.ts';
import { element } from '../lib/element.ts';
import { plain } from './values.ts';
import { choiceRow, numberRow, section, type Editing, type Section } from './section.ts';

export function comparisonSection(editing: Editing): Section {
  const text = (name: string, usual: string): string => plain(editing.value(['comparison', name])) || usual;
  const put = (name: string) => (to: string) => editing.now(['comparison', name], to);
  const arms = editing.plan()?.arms ?? [];
  const rows = [
    choiceRow({
      label: l10n.t('Reference'),
      choices: [{ value: '', text: l10n.t('the first arm') }, ...arms.map((value) => ({ value, text: value }))],
      value: () => text('reference', ''),
      change: (to) => editing.now(['comparison', 'reference'], to === '' ? null : to),
    }),
    choiceRow({
      label: l10n.t('Pairs'),
      choices: [
        { value: 'reference', text: l10n.t('each arm with the reference') },
        { value: 'all', text: l10n.t('every two arms') },
      ],
      value: () => text('pairs', 'reference'),
      change: put('pairs'),
    }),
    choiceRow({
      label: l10n.t('Test'),
      choices: [
        { value: 'sign-flip', text: l10n.t('sign-flip (exact)') },
        { value: 'wilcoxon', text: 'Wilcoxon' },
        { value: 'bootstrap', text: 'bootstrap' },
      ],
      value: () => text('test', 'sign-flip'),
      change: put('test'),
    }),
    numberRow(editing, {
      ...{ label: l10n.t('Level'), path: ['comparison', 'level'], usual: 0.05, least: 0, most: 0.5, step: 0.01 },
    }),
    numberRow(editing, {
      ...{ label: l10n.t('Difference that matters'), path: ['comparison', 'difference'], usual: 0.02, least: 0 },
      step: 0.01,
    }),
  ];
  return section(
    {
      title: l10n.t('Comparison'),
      about: l10n.t('Differences are paired by seed; the level holds for all comparisons together (Holm).'),
      field: 'comparison',
      openText: (place) => editing.openText(place),
    },
    () => {
      for (const row of rows) row.update();
    },
    element('div', { class: 'line' }, ...rows.map(({ node }) => node)),
  );
}

export function stopSection(editing: Editing): Section {
  const stop = (): unknown => editing.value(['stop']);
  const ruleOf = (): string => {
    const value = stop();
    return isObject(value) ? plain(value['rule']) : '';
  };
  const rows = [
    choiceRow({
      label: l10n.t('Rule'),
      choices: [
        { value: '', text: l10n.t('none: every run goes to its end') },
        { value: 'halving', text: l10n.t('halving: the best share continues') },
        { value: 'sequential', text: l10n.t('sequential: decided arms get no more seeds') },
      ],
      value: ruleOf,
      change: (rule) => editing.now(['stop'], rule === '' ? null : { rule }),
    }),
    ...(ruleOf() === 'halving'
      ? [
          numberRow(editing, {
            ...{ label: l10n.t('Rounds'), path: ['stop', 'rounds'], usual: 3, whole: true, least: 2, most: 8 },
          }),
          numberRow(editing, {
            ...{
              label: l10n.t('Share that continues'),
              path: ['stop', 'keep'],
              usual: 0.5,
              least: 0,
              most: 1,
              step: 0.05,
            },
          }),
        ]
      : []),
  ];
  return section(
    {
      title: l10n.t('Racing'),
      about: l10n.t('Whether arms that fall behind stop early. It saves runs; the result says so.'),
      field: 'stop',
      openText: (place) => editing.openText(place),
    },
    () => {
      for (const row of rows) row.update();
    },
    element('div', { class: 'line' }, ...rows.map(({ node }) => node)),
  );
}
