/** Top of the page: the file's kind, its faults, its actions. */
import * as l10n from '@vscode/l10n';
import type { AdapterDocument } from '../../src/features/adapter/contract.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';

export interface ToolbarHost {
  check(): void;
  evaluate(): void;
  seeds(): void;
  copy(): void;
  openText(): void;
}

export function toolbar(host: ToolbarHost): { node: HTMLElement; show(document: AdapterDocument): void } {
  const title = element('h1', {});
  const state = element('p', { class: 'quiet', role: 'status' });
  const copy = button({ text: l10n.t('Copy to Workspace…'), appearance: 'primary', press: () => host.copy() });
  const check = button({ text: l10n.t('Check Adapter'), press: () => host.check() });
  const evaluate = button({ text: l10n.t('Evaluate…'), press: () => host.evaluate() });
  const seeds = button({ text: l10n.t('Use as Seed Tasks…'), press: () => host.seeds() });
  const text = button({ text: l10n.t('Open as Text'), press: () => host.openText() });
  return {
    node: element(
      'header',
      { class: 'top' },
      element(
        'div',
        { class: 'top-line' },
        title,
        element('div', { class: 'actions' }, copy, check, evaluate, seeds, text),
      ),
      state,
    ),
    show({ file, written, problems, editable }) {
      const name = written?.['name'];
      title.textContent = typeof name === 'string' && name !== '' ? name : file;
      copy.hidden = editable;
      const errors = problems.filter(({ severity }) => severity === 'error');
      state.classList.toggle('wrong', errors.length > 0);
      state.textContent = errors.length > 0 ? wrong(errors) : editable ? file : shipped(file);
    },
  };
}

function wrong(errors: AdapterDocument['problems']): string {
  const [first] = errors;
  if (first === undefined) return '';
  const at = l10n.t('line {0}: {1}', first.line, `${first.message} ${first.remedy}`.trim());
  return errors.length === 1 ? at : `${at} ${l10n.t('(and {0} more)', errors.length - 1)}`;
}

const shipped = (file: string): string =>
  l10n.t('{0} comes with GenEnv. Copy it to your workspace to choose the folder of its data, or to change it.', file);
