/** The experiment's name, preset, actions and expected cost. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields } from '../../src/shared/experiment/fields.ts';
import type { FormDocument, FormForecast } from '../../src/features/experiment/contract.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { control, type Control, type ControlHost } from './control.ts';
import type { FormModel } from './formModel.ts';
import { workWords } from './workWords.ts';

export interface HeaderHost extends ControlHost {
  start(): void;
  check(): void;
  openText(): void;
  /** Goes to the first problem. */
  showProblem(): void;
}

export interface Header {
  node: HTMLElement;
  /** @param forecast undefined before the host has told it */
  update(document: FormDocument, model: FormModel, forecast: FormForecast | null | undefined): void;
  /**
   * The form of a branch has a button of its own that makes it: this one begins anew, and says so.
   *
   * @param shared the last epoch that it shares with its run; null for what is no branch
   */
  ofBranch(shared: number | null): void;
  /** @param run the name of the run that the form begins anew; null where it was not made for that */
  ofRerun(run: string | null): void;
}

export function header(host: HeaderHost): Header {
  const own = new Map<FieldPath, Control>();
  let shared: number | null = null;
  let rerun: string | null = null;
  const part = (path: FieldPath): HTMLElement => {
    const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
    const made = control(path, host, (text) => {
      trouble.hidden = text === '';
      trouble.textContent = text;
    });
    own.set(path, made);
    const about = element('p', { class: 'choice', id: `about-${path}` });
    made.input.setAttribute('aria-describedby', about.id);
    const label = element('span', { class: 'label', 'aria-hidden': 'true' }, l10n.t(fields[path].label));
    return element('div', { class: `head-field head-${path}`, 'data-field': path }, label, made.node, trouble, about);
  };
  const start = button({ text: l10n.t('Start Run'), appearance: 'primary', press: () => host.start() });
  const say = (): void => {
    const begins = rerun === null ? l10n.t('Start Run') : l10n.t('Rerun with These Values');
    start.textContent = shared === null ? begins : l10n.t('Start from the Beginning');
    start.appearance = shared === null ? 'primary' : 'secondary';
  };
  const check = button({ text: l10n.t('Check'), press: () => host.check() });
  const text = button({ text: l10n.t('Open as Text'), press: () => host.openText() });
  const problems = element('button', { class: 'problem-count', type: 'button', hidden: '' });
  problems.addEventListener('click', () => host.showProblem());
  const work = element('p', { class: 'work' });
  const untrusted = element('p', { class: 'why', hidden: '' }, l10n.t('Runs start in trusted folders only.'));
  const node = element(
    'header',
    { class: 'header' },
    element('h1', { class: 'sr-only' }, l10n.t('Experiment')),
    element(
      'div',
      { class: 'header-fields' },
      part('name'),
      part('preset'),
      part('mode'),
      element('div', { class: 'actions', role: 'group', 'aria-label': l10n.t('Actions') }, start, check, text),
    ),
    element('div', { class: 'header-line' }, work, untrusted, problems),
  );
  return {
    node,
    ofBranch(epochs) {
      shared = epochs;
      say();
    },
    ofRerun(run) {
      rerun = run;
      say();
    },
    update({ trusted, problems: found }, model, forecast) {
      for (const [path, { node: field, show }] of own) {
        const value = model.value(path);
        show(value);
        const about = field.parentElement?.querySelector('.choice');
        const meant = typeof value === 'string' ? fields[path].choices?.[value] : undefined;
        about?.replaceChildren(...prose(meant === undefined ? '' : l10n.t(meant)));
      }
      const errors = found.filter(({ severity }) => severity === 'error').length;
      start.disabled = !trusted || errors > 0;
      check.disabled = !trusted;
      const meant = rerun === null ? '' : l10n.t('A new run, as “{0}” began, with the values of this form.', rerun);
      start.title = errors > 0 ? l10n.t('Correct the errors first.') : meant;
      untrusted.hidden = trusted;
      problems.hidden = found.length === 0;
      problems.classList.toggle('error', errors > 0);
      problems.textContent = problemWords(errors, found.length - errors);
      work.textContent = model.experiment === null ? '' : workWords(model.experiment, forecast, shared ?? 0);
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
