/**
 * The head of a form of a file: its first fields and actions, the work that it asks for, the count of its problems, and
 * those that stand at no field.
 */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../../src/shared/experiment/problems/problem.ts';
import type { QueuedNoticeData } from '../../../src/shared/rpc/queuedNotice.ts';
import { element } from '../element.ts';
import { QueuedNotice } from './queuedNotice.ts';
import { ProblemList, type ListedProblem } from './problemList.ts';

export interface FormHeaderOptions {
  /** For screen readers: the tab has it for everybody else. */
  title: string;
  fields: readonly HTMLElement[];
  actions: readonly HTMLElement[];
  /** Further words on the line of the count. */
  state?: HTMLElement;
  /** Goes to the first problem. */
  showProblem: () => void;
  openText: (at: { line: number; column: number }) => void;
  /** Puts the study that waits into the queue anew. */
  queueAnew: () => void;
}

export interface FormHeaderShown {
  trusted: boolean;
  /** '' where it is not known. */
  work: string;
  problems: readonly Pick<Problem, 'severity'>[];
  unplaced: readonly ListedProblem[];
  /** Of a study in the queue that the file belongs to; null for none that changed. */
  queued: QueuedNoticeData;
}

export interface FormHeader {
  node: HTMLElement;
  update(shown: FormHeaderShown): void;
}

export function formHeader(options: FormHeaderOptions): FormHeader {
  const { title, fields, actions, state, showProblem, openText, queueAnew } = options;
  const notice = new QueuedNotice(queueAnew);
  const work = element('p', { class: 'work', hidden: '' });
  const untrusted = element('p', { class: 'why', hidden: '' }, l10n.t('Runs start in trusted folders only.'));
  const count = element('button', { class: 'problem-count', type: 'button', hidden: '' });
  count.addEventListener('click', showProblem);
  const elsewhere = new ProblemList(openText, l10n.t('Problems at no field of this form'));
  const node = element(
    'header',
    { class: 'header' },
    element('h1', { class: 'sr-only' }, title),
    element(
      'div',
      { class: 'header-fields' },
      ...fields,
      element('div', { class: 'actions', role: 'group', 'aria-label': l10n.t('Actions') }, ...actions),
    ),
    element(
      'div',
      { class: 'header-line' },
      work,
      untrusted,
      ...(state === undefined ? [] : [state]),
      element('span', { role: 'status' }, count),
    ),
    notice.node,
    elsewhere.node,
  );
  return {
    node,
    update({ trusted, work: expected, problems, unplaced, queued }) {
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      untrusted.hidden = trusted;
      work.hidden = expected === '';
      work.textContent = expected;
      count.hidden = problems.length === 0;
      count.classList.toggle('error', errors > 0);
      count.textContent = problemWords(errors, problems.length - errors);
      elsewhere.update(unplaced);
      notice.update(queued);
    },
  };
}

function problemWords(errors: number, warnings: number): string {
  const parts = [
    ...(errors === 0 ? [] : [errors === 1 ? l10n.t('1 error') : l10n.t('{0} errors', errors)]),
    ...(warnings === 0 ? [] : [warnings === 1 ? l10n.t('1 warning') : l10n.t('{0} warnings', warnings)]),
  ];
  return parts.join(', ');
}
