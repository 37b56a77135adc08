/** The study's name, its actions, its work and time, and what is still to choose. */
import * as l10n from '@vscode/l10n';
import type { StudyPlan } from '../../src/features/studyForm/contract.ts';
import { approximate, count } from '../../src/shared/text/figures/numbers.ts';
import { button } from '../lib/components/button.ts';
import { textField } from '../lib/components/textField.ts';
import { whileTyping } from '../lib/components/whileTyping.ts';
import { element } from '../lib/element.ts';
import { expected } from '../lib/forms/expected.ts';
import { formHeader, type FormHeaderShown } from '../lib/forms/formHeader.ts';
import type { Missing } from './model.ts';
import { labelled } from './section.ts';
import { plain } from './values.ts';

export interface HeaderHost {
  run(): void;
  results(): void;
  openText(at: { line: number; column: number } | null): void;
  /** To a part of the form by its first field. */
  goTo(part: string): void;
  /** Goes to the first problem. */
  showProblem(): void;
  rename(name: string): void;
  flush(): void;
  queueAnew(): void;
}

export interface Shown extends Omit<FormHeaderShown, 'work'> {
  name: string;
  plan: StudyPlan | null;
  missing: readonly Missing[];
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
  const text = button({ text: l10n.t('Open as Text'), press: () => host.openText(null) });
  const state = element('p', { class: 'todo', role: 'status' });
  const head = formHeader({
    title: l10n.t('Study'),
    fields: [labelled(l10n.t('Name of the study'), name.node)],
    actions: [run, results, text],
    state,
    showProblem: () => host.showProblem(),
    openText: (at) => host.openText(at),
    queueAnew: () => host.queueAnew(),
  });
  let said = '';
  return {
    node: head.node,
    focusName: () => name.node.focus(),
    update({ plan, missing, trusted, problems, unplaced, queued, ...shown }) {
      showName(shown.name);
      const hasErrors = problems.some(({ severity }) => severity === 'error');
      run.disabled = !trusted || hasErrors || missing.length > 0 || plan === null;
      run.title = hasErrors ? l10n.t('Correct the errors first.') : '';
      head.update({ trusted, problems, unplaced, queued, work: plan === null ? '' : workWords(plan) });
      const now = JSON.stringify([plan === null, missing, problems.length]);
      if (now === said) return;
      said = now;
      const isReady = plan !== null && missing.length === 0 && problems.length === 0;
      state.classList.toggle('ready', isReady);
      state.replaceChildren(
        ...(isReady ? [l10n.t('Nothing is missing: the study can run.')] : missingNodes(missing, host)),
      );
    },
  };
}

function missingNodes(missing: readonly Missing[], host: Pick<HeaderHost, 'goTo'>): (Node | string)[] {
  if (missing.length === 0) return [];
  const words = { base: l10n.t('the base experiment'), arms: l10n.t('what the arms differ in') };
  const links = missing.flatMap((one) => {
    const link = element('button', { class: 'link', type: 'button' }, words[one]);
    link.addEventListener('click', () => host.goTo(one));
    return [' ', link];
  });
  return [l10n.t('Still to choose:'), ...links];
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
