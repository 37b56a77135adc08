/** A study's answer: sentences first, then the tables and curves that they come from. In the editor and in reports. */
import * as l10n from '@vscode/l10n';
import type { StudyResults } from '../../src/features/study/contract/page.ts';
import { element } from '../lib/element.ts';
import { courseChart } from './courseChart.ts';
import { heatMap, parallelCoordinates } from './gridCharts.ts';
import { svg, toneOf } from './svg.ts';
import { comparisonTable, measureTable } from './tables.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';

export interface Look {
  course: keyof StudyResults['courses'];
  perSeed: boolean;
}

export interface Surroundings {
  /** Below the heading. */
  actions: Node[];
  /** Draws again with the change. */
  look: (change: Partial<Look>) => void;
}

export function resultsOf(results: StudyResults, view: Look, { actions, look }: Surroundings): Node[] {
  const { name, finished, runs, budget, arms, sentences, grid } = results;
  const spent = `${count(budget.amount)} ${budget.kind}`;
  const [first, second] = Object.keys(grid);
  return [
    element('h1', {}, name),
    element('p', { class: 'muted' }, l10n.t('{0} of {1} runs finished, {2} each', finished, runs, spent)),
    ...actions,
    element('ul', { class: 'answers' }, ...sentences.map((sentence) => element('li', {}, sentence))),
    element('h2', {}, l10n.t('Arms')),
    scrolled(l10n.t('Arms'), measureTable(results)),
    ...(results.comparisons.length === 0
      ? []
      : [
          element('h2', {}, l10n.t('Differences, paired by seed')),
          scrolled(l10n.t('Differences'), comparisonTable(results)),
        ]),
    element('h2', {}, l10n.t('Courses')),
    courseControls(view, look),
    courseChart(results.courses[view.course], view.perSeed, l10n.t('Courses over rollouts')),
    element('p', {}, ...arms.map(({ name: arm }, i) => key(arm, i))),
    ...(first === undefined ? [] : [element('h2', {}, l10n.t('Grid')), parallelCoordinates(results)]),
    ...(first === undefined || second === undefined ? [] : [heatMap(results, [first, second])]),
  ];
}

const scrolled = (label: string, content: Node): HTMLElement =>
  element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, content);

function key(arm: string, index: number): HTMLElement {
  const sample = svg('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true' });
  sample.append(svg('path', { class: toneOf(index), d: 'M0,5H26', 'stroke-width': 2 }));
  return element('span', { class: 'key' }, sample, arm);
}

function courseControls(view: Look, look: Surroundings['look']): HTMLElement {
  const names = { validation: l10n.t('Validation'), successRate: l10n.t('p̂ on written tasks') };
  const select = element('select', { id: 'course', 'aria-label': l10n.t('What is drawn') });
  for (const [course, name] of Object.entries(names)) {
    const option = element('option', { value: course }, name);
    option.selected = course === view.course;
    select.append(option);
  }
  select.addEventListener('change', () => {
    look({ course: select.value === 'successRate' ? 'successRate' : 'validation' });
    document.getElementById('course')?.focus();
  });
  const box = element('input', { type: 'checkbox', id: 'perSeed' });
  box.checked = view.perSeed;
  box.addEventListener('change', () => {
    look({ perSeed: box.checked });
    document.getElementById('perSeed')?.focus();
  });
  const perSeed = element('label', { for: 'perSeed' }, box, l10n.t(' A line per seed'));
  return element('div', { class: 'actions' }, select, perSeed);
}
