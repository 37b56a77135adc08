/** The checklist before a run: each check as it runs, remedies for failures, and Start. */
import '../lib/l10n.ts';
import { again, cancel, open, show, start, type PreflightView } from '../../src/features/preflight/contract.ts';
import { element } from '../lib/element.ts';
import { connect, keep } from '../lib/host.ts';
import { Loading } from '../lib/loading.ts';
import * as l10n from '@vscode/l10n';
import { checkItem } from './checkItem.ts';
import { summaryOf } from './summary.ts';

const heading = element('h1');
const summary = element('p', { class: 'summary', role: 'status' });
const actions = element('div', { class: 'actions' });
const list = element('ol', { class: 'checks' });
const loading = new Loading(element('header', {}, heading, summary, actions), list);

const channel = connect((error) => {
  loading.done();
  summary.textContent = error.message;
});

const startButton = element('button', { type: 'button', class: 'button button-primary' });
const againButton = element('button', { type: 'button', class: 'button' }, l10n.t('Check Again'));
const cancelButton = element('button', { type: 'button', class: 'button' }, l10n.t('Cancel'));
actions.append(startButton, againButton, cancelButton);
startButton.addEventListener('click', () => channel.emit(start, {}));
againButton.addEventListener('click', () => channel.emit(again, {}));
cancelButton.addEventListener('click', () => channel.emit(cancel, {}));

/** A button that goes while it has the focus hands it to the one that takes its place. */
function allow(button: HTMLButtonElement, shown: boolean, next: HTMLButtonElement): void {
  const focused = document.activeElement === button;
  button.hidden = !shown;
  if (focused && !shown) next.focus();
}

channel.on(show, (view: PreflightView) => {
  keep({ uri: view.uri });
  loading.done();
  const checking = view.status === 'checking';
  const warned = view.checks.some(({ state }) => state === 'warned');
  heading.textContent = l10n.t('Check {0}', view.file);
  summary.textContent = summaryOf(view);
  startButton.textContent = warned ? l10n.t('Start Anyway') : l10n.t('Start Run');
  startButton.disabled = view.status !== 'ready';
  cancelButton.hidden = false;
  againButton.hidden = false;
  allow(cancelButton, checking, againButton);
  allow(againButton, !checking, cancelButton);
  againButton.classList.toggle('button-primary', view.status === 'stale' || view.status === 'blocked');
  startButton.classList.toggle('button-primary', view.status === 'ready');
  list.replaceChildren(
    ...view.checks.map((check) =>
      checkItem(check, ({ file, line, column }) => channel.emit(open, { file, line, column })),
    ),
  );
});
