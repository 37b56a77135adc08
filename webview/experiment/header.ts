/** The experiment's name, preset, mode and actions. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fields } from '../../src/shared/experiment/fields.ts';
import type { FormDocument, FormBasis } from '../../src/features/experiment/contract.ts';
import type { QueuedNoticeData } from '../../src/shared/rpc/queuedNotice.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { formHeader } from '../lib/forms/formHeader.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { control, type Control, type ControlHost } from './control.ts';
import type { FormModel } from './formModel.ts';
import { headerFields } from './groups.ts';
import { startWords, type FormRuns } from './startWords.ts';
import { workWords } from './workWords.ts';

export interface HeaderHost extends ControlHost {
  start(): void;
  check(): void;
  /** Goes to the first problem. */
  showProblem(): void;
  openText(at: { line: number; column: number } | null): void;
  queueAnew(): void;
}

/** Runs, pace and queue around the file. */
interface Around extends FormRuns {
  /** Undefined before the host has told it. */
  basis: FormBasis | undefined;
  queued: QueuedNoticeData;
}

export interface Header {
  node: HTMLElement;
  update(document: FormDocument, model: FormModel, around: Around): void;
}

export function header(host: HeaderHost): Header {
  const parts = headerFields.map((path) => headField(path, host));
  const start = button({ text: l10n.t('Start Run'), appearance: 'primary', press: () => host.start() });
  const check = button({ text: l10n.t('Check'), press: () => host.check() });
  const text = button({ text: l10n.t('Open as Text'), press: () => host.openText(null) });
  const head = formHeader({
    title: l10n.t('Experiment'),
    fields: parts.map(({ node }) => node),
    actions: [start, check, text],
    showProblem: () => host.showProblem(),
    openText: (at) => host.openText(at),
    queueAnew: () => host.queueAnew(),
  });
  return {
    node: head.node,
    update({ trusted, problems }, model, { basis, queued, ...runs }) {
      for (const part of parts) part.update(model);
      const hasErrors = problems.some(({ severity }) => severity === 'error');
      const words = startWords(runs);
      // A text that is replaced while the button is pressed takes the click with it.
      if (start.textContent !== words.text) start.textContent = words.text;
      start.appearance = words.isPrimary ? 'primary' : 'secondary';
      start.title = hasErrors ? l10n.t('Correct the errors first.') : words.title;
      start.disabled = !trusted || hasErrors;
      check.disabled = !trusted;
      const { experiment, unplaced } = model;
      const work = experiment === null ? '' : workWords(experiment, basis, runs.branch);
      head.update({ trusted, work, problems, unplaced, queued });
    },
  };
}

function headField(path: FieldPath, host: ControlHost): { node: HTMLElement; update(model: FormModel): void } {
  const { label, choices } = fields[path];
  const trouble = element('p', { class: 'complaint', role: 'alert', hidden: '' });
  const own: Control = control(path, host, (text) => {
    trouble.hidden = text === '';
    trouble.textContent = text;
  });
  const about = element('p', { class: 'choice', id: `about-${path}` });
  own.input.setAttribute('aria-describedby', about.id);
  const name = element('span', { class: 'label', 'aria-hidden': 'true' }, l10n.t(label));
  const node = element('div', { class: `head-field head-${path}`, 'data-field': path }, name, own.node, trouble, about);
  return {
    node,
    update(model) {
      const value = model.value(path);
      own.show(value);
      const meant = typeof value === 'string' ? choices?.[value] : undefined;
      const words = meant === undefined ? '' : l10n.t(meant);
      about.replaceChildren(...prose(words));
      // A small window has no room for the sentence itself.
      node.title = words;
    },
  };
}
