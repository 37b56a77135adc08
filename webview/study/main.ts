/** The editor's page of a study. */
import '../lib/l10n.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import {
  courses,
  exportStudyReport,
  keptStudySchema,
  openStudyFile,
  openStudyRuns,
  readAgain,
  studyNamed,
  studyShown,
  type StudyResults,
} from '../../src/features/study/contract/page.ts';
import { failureOf } from '../../src/shared/rpc/rpcError.ts';
import { element } from '../lib/element.ts';
import { connect, keep, restore } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import { resultsOf } from './results.ts';

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
  const again = element('button', { type: 'button' }, l10n.t('Refresh'));
  again.addEventListener('click', () => ask(channel.call(readAgain, null)));
  const file = element('button', { type: 'button' }, l10n.t('Open File'));
  file.addEventListener('click', () => ask(channel.call(openStudyFile, null)));
  const table = element('button', { type: 'button' }, l10n.t('Show Runs in Table'));
  table.addEventListener('click', () => ask(channel.call(openStudyRuns, null)));
  const report = element('button', { type: 'button' }, l10n.t('Export Report…'));
  report.addEventListener('click', () => ask(channel.call(exportStudyReport, null)));
  const actions = element('div', { class: 'actions' }, again, file, table, report);
  body.replaceChildren(...resultsOf(results, view, { actions: [actions], look }));
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
