/** Attempts at an edited task, beside those at the original: start, progress, stop, comparison. */
import * as l10n from '@vscode/l10n';
import type { TasksReattempt } from '../../src/features/tasks/contract.ts';
import { count, rate } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import { twoRates, twoRatesWords } from './detail/twoRates.ts';

export interface ReattemptHost {
  start: (attempts: number) => void;
  stop: () => void;
}

const most = 1024;

export class Reattempt {
  readonly node: HTMLElement;
  readonly #number = element('input', {
    type: 'number',
    class: 'input',
    min: '1',
    max: String(most),
    'aria-label': l10n.t('Attempts'),
  });
  readonly #start = element('button', { type: 'button', class: 'button button-primary' }, l10n.t('Re-attempt Now'));
  readonly #stop = element('button', { type: 'button', class: 'button' }, l10n.t('Stop'));
  readonly #bar = element('progress', { 'aria-label': l10n.t('Attempts made') });
  readonly #told = element('p', { class: 'told', role: 'status' });
  readonly #why = element('p', { class: 'quiet' });
  readonly #result = element('div', { class: 'reattempt-result' });
  #group = 0;

  constructor(host: ReattemptHost) {
    this.#start.addEventListener('click', () => {
      const attempts = this.#number.valueAsNumber;
      if (Number.isInteger(attempts) && attempts >= 1 && attempts <= most) host.start(attempts);
      else this.#number.reportValidity();
    });
    this.#stop.addEventListener('click', () => host.stop());
    this.node = element(
      'div',
      { class: 'reattempt' },
      element('div', { class: 'reattempt-line' }, this.#start, this.#number, l10n.t('attempts'), this.#stop, this.#bar),
      this.#why,
      this.#told,
      this.#result,
    );
  }

  /** Presses the button, as from a menu. */
  press(): void {
    this.#start.click();
  }

  /** @param why nothing can be attempted; null when it can */
  show(group: number, why: string | null, state: TasksReattempt | null, edited: boolean): void {
    const running = state?.state === 'running';
    if (this.#group !== group) {
      this.#group = group;
      this.#number.value = String(Math.max(1, group));
    }
    this.#start.disabled = why !== null || running;
    this.#number.disabled = why !== null || running;
    this.#why.hidden = why === null;
    this.#why.textContent = why ?? '';
    this.#stop.hidden = this.#bar.hidden = !running;
    this.#told.hidden = this.#result.hidden = state === null;
    if (state === null) return;
    this.#bar.max = Math.max(1, state.total);
    this.#bar.value = state.done;
    this.#told.textContent = told(state);
    this.#told.classList.toggle('error', state.state === 'failed');
    this.#result.hidden = state.before.attempts + state.after.attempts === 0;
    this.#result.replaceChildren(
      twoRates(state.before, state.after),
      twoRatesWords(state, edited),
      ...(state.answers.length === 0 ? [] : [answers(state.answers)]),
    );
  }
}

function told({ state, done, total, version, message }: TasksReattempt): string {
  const progress = {
    running: l10n.t('{0} of {1} attempts by {2}', count(done), count(total), version),
    finished: l10n.t('{0} attempts by {1}', count(done), version),
    stopped: l10n.t('Stopped after {0} of {1} attempts by {2}', count(done), count(total), version),
    failed: l10n.t('Failed after {0} of {1} attempts by {2}', count(done), count(total), version),
  }[state];
  return [`${progress}.`, ...(message === null ? [] : [message])].join(' ');
}

function answers(given: TasksReattempt['answers']): HTMLElement {
  const item = ([{ success, reward, answer }, times]: [(typeof given)[number], number]): HTMLElement =>
    element(
      'li',
      {},
      element('span', { class: 'answer-mark', 'aria-hidden': 'true' }, success ? '●' : '○'),
      element('span', { class: 'sr-only' }, success ? l10n.t('solved') : l10n.t('not solved')),
      element('span', { class: 'answer-reward quiet' }, rate(reward)),
      element('code', {}, answer),
      ...(times === 1 ? [] : [element('span', { class: 'quiet' }, l10n.t('{0} times', times))]),
    );
  const alike = new Map<string, [(typeof given)[number], number]>();
  for (const one of given) {
    const key = JSON.stringify(one);
    alike.set(key, [one, (alike.get(key)?.[1] ?? 0) + 1]);
  }
  return element(
    'details',
    { class: 'answers', open: '' },
    element('summary', {}, l10n.t('Answers to the task as it is now')),
    element('ul', {}, ...Array.from(alike.values(), item)),
  );
}
