/** The study's name, its actions, its work and time, and what is still to choose. */
import * as l10n from '@vscode/l10n';
import type { StudyPlan } from '../../src/features/studyForm/contract.ts';
import { approximate, count } from '../../src/shared/text/figures/numbers.ts';
import { button } from '../lib/components/button.ts';
import { textField } from '../lib/components/textField.ts';
import { whileTyping } from '../lib/components/whileTyping.ts';
import { element } from '../lib/element.ts';
import { expected } from '../lib/expected.ts';
import type { Missing } from './model.ts';
import { labelled } from './section.ts';
import { plain } from './values.ts';

export interface HeaderHost {
  run(): void;
  results(): void;
  asText(): void;
  /** To a part of the form by its first field. */
  goTo(part: string): void;
  rename(name: string): void;
  flush(): void;
}

export interface Shown {
  name: string;
  trusted: boolean;
  plan: StudyPlan | null;
  missing: readonly Missing[];
  problems: readonly { part: string; isError: boolean }[];
}

export function header(host: HeaderHost): { node: HTMLElement; focusName(): void; update(shown: Shown): void } {
  const name = textField({
    name: l10n.t('Name of the study'),
    input: (text) => host.rename(text),
    commit: () => host.flush(),
  });
  const showName = whileTyping(name, { text: plain, read: (text) => text });
  const run = button({ text: l10n.t('Run Study'), appearance: 'primary', press: () => host.run() });
  const results = button({ text: l10n.t('Open Results'), press: () => host.results() });
  const text = button({ text: l10n.t('Open as Text'), press: () => host.asText() });
  const work = element('p', { class: 'work' });
  const untrusted = element('p', { class: 'why', hidden: '' }, l10n.t('Runs start in trusted folders only.'));
  const state = element('p', { class: 'todo', role: 'status' });
  let said = '';
  const node = element(
    'header',
    { class: 'header' },
    element('h1', { class: 'sr-only' }, l10n.t('Study')),
    element(
      'div',
      { class: 'header-fields' },
      labelled(l10n.t('Name of the study'), name.node),
      element('div', { class: 'actions', role: 'group', 'aria-label': l10n.t('Actions') }, run, results, text),
    ),
    work,
    state,
    untrusted,
  );
  return {
    node,
    focusName: () => name.node.focus(),
    update(shown) {
      const { plan, missing, trusted, problems } = shown;
      showName(shown.name);
      const errors = problems.filter(({ isError }) => isError);
      const stuck = missing.length > 0 || errors.length > 0 || plan === null;
      run.disabled = !trusted || stuck;
      untrusted.hidden = trusted;
      work.textContent = plan === null ? '' : workWords(plan);
      const now = JSON.stringify([plan === null, missing, problems]);
      if (now === said) return;
      said = now;
      state.classList.toggle('ready', !stuck);
      state.replaceChildren(...stateNodes(plan === null, missing, problems, (part) => host.goTo(part)));
    },
  };
}

function stateNodes(
  waiting: boolean,
  missing: readonly Missing[],
  problems: Shown['problems'],
  goTo: (part: string) => void,
): (Node | string)[] {
  if (waiting) return [];
  const link = (words: string, part: string): HTMLElement => {
    const node = element('button', { class: 'link', type: 'button' }, words);
    node.addEventListener('click', () => goTo(part));
    return node;
  };
  if (missing.length > 0) {
    const words = { base: l10n.t('the base experiment'), arms: l10n.t('what the arms differ in') };
    return [l10n.t('Still to choose:'), ...missing.flatMap((one) => [' ', link(words[one], one)])];
  }
  const errors = problems.filter(({ isError }) => isError);
  const [first] = errors.length > 0 ? errors : problems;
  if (first === undefined) return [l10n.t('Nothing is missing: the study can run.')];
  const words =
    errors.length === 0
      ? problems.length === 1
        ? l10n.t('1 warning')
        : l10n.t('{0} warnings', problems.length)
      : errors.length === 1
        ? l10n.t('1 error')
        : l10n.t('{0} errors', errors.length);
  return [link(words, first.part)];
}

/** The whole study's work, and its time where a run has measured a pace. */
function workWords({ work, forecast }: StudyPlan): string {
  if (work === null) return '';
  const parts = [
    work.arms === 1
      ? l10n.t('1 arm × {0} seeds = {1} runs', count(work.seeds), count(work.runs))
      : l10n.t('{0} arms × {1} seeds = {2} runs', count(work.arms), count(work.seeds), count(work.runs)),
    ...(work.rollouts === null ? [] : [l10n.t('{0} rollouts', approximate(work.rollouts))]),
    ...(forecast !== null
      ? expected(forecast)
      : [
          ...(work.tokens === null ? [] : [l10n.t('at most {0} tokens', approximate(work.tokens))]),
          l10n.t('time and cost are known after the first epoch on the base’s endpoints'),
        ]),
  ];
  return parts.join(' · ');
}
