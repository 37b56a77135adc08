/** A study's answer: sentences first, then the tables and curves that they come from. */
import '../lib/l10n.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import {
  courses,
  keptStudySchema,
  openStudyFile,
  readAgain,
  studyNamed,
  studyShown,
  type StudyResults,
} from '../../src/features/study/contract/page.ts';
import { failureOf } from '../../src/shared/rpc/rpcError.ts';
import { element } from '../lib/element.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { courseChart } from './courseChart.ts';
import { heatMap, parallelCoordinates } from './gridCharts.ts';
import { svg, toneOf } from './svg.ts';
import { comparisonTable, measureTable, said } from './tables.ts';

const viewSchema = keptStudySchema.extend({ course: z.enum(courses), perSeed: z.boolean() });
let view: z.infer<typeof viewSchema> = restore(viewSchema) ?? { study: '', course: 'validation', perSeed: false };

const notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
const body = element('div', { class: 'page' });
const channel = connect((error) => tell(error.message));
const loading = new Loading(notice, body);
let results: StudyResults | null = null;

function tell(message: string): void {
  loading.done();
  notice.hidden = message === '';
  notice.textContent = message;
}

function ask(answer: Promise<unknown>): void {
  answer.then(
    () => tell(''),
    (error: unknown) => {
      const { message, remedy } = failureOf(error);
      tell(`${message} ${remedy}`.trim());
    },
  );
}

function look(change: Partial<typeof view>): void {
  view = { ...view, ...change };
  keep(view);
  draw();
}

function draw(): void {
  if (results === null) return;
  const { name, finished, runs, budget, arms, sentences, grid } = results;
  const again = element('button', { type: 'button' }, l10n.t('Refresh'));
  again.addEventListener('click', () => ask(channel.call(readAgain, null)));
  const file = element('button', { type: 'button' }, l10n.t('Open File'));
  file.addEventListener('click', () => ask(channel.call(openStudyFile, null)));
  const spent = `${budget.amount.toLocaleString()} ${budget.kind}`;
  const [first, second] = Object.keys(grid);
  body.replaceChildren(
    element('h1', {}, name),
    element('p', { class: 'muted' }, l10n.t('{0} of {1} runs finished, {2} each', finished, runs, spent)),
    element('div', { class: 'actions' }, again, file),
    element('ul', { class: 'answers' }, ...sentences.map((sentence) => element('li', {}, sentence))),
    element('h2', {}, l10n.t('Arms')),
    element(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': l10n.t('Arms') },
      measureTable(results),
    ),
    ...(results.comparisons.length === 0
      ? []
      : [
          element('h2', {}, l10n.t('Differences, paired by seed')),
          element(
            'div',
            { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': l10n.t('Differences') },
            comparisonTable(results),
          ),
        ]),
    element('h2', {}, l10n.t('Courses')),
    courseControls(),
    courseChart(results.courses[view.course], view.perSeed, l10n.t('Courses over rollouts')),
    element('p', {}, ...arms.map(({ name: arm }, i) => key(arm, i))),
    ...(first === undefined ? [] : [element('h2', {}, l10n.t('Grid')), parallelCoordinates(results, said)]),
    ...(first === undefined || second === undefined ? [] : [heatMap(results, [first, second], said)]),
  );
}

function key(arm: string, index: number): HTMLElement {
  const sample = svg('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true' });
  sample.append(svg('path', { class: toneOf(index), d: 'M0,5H26', 'stroke-width': 2 }));
  return element('span', { class: 'key' }, sample, arm);
}

function courseControls(): HTMLElement {
  const names = { validation: l10n.t('Validation'), successRate: l10n.t('p̂ on written tasks') };
  const select = element('select', { 'aria-label': l10n.t('What is drawn') });
  for (const course of courses) {
    const option = element('option', { value: course }, names[course]);
    option.selected = course === view.course;
    select.append(option);
  }
  select.addEventListener('change', () => {
    look({ course: courses.find((course) => course === select.value) ?? 'validation' });
    body.querySelector('select')?.focus();
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

channel.on(studyNamed, ({ study }) => {
  view = { ...view, study };
  keep(view);
});
channel.on(studyShown, (shown) => {
  results = shown;
  loading.done();
  draw();
});
