/** The page of a task's attempts, put together. */
import * as l10n from '@vscode/l10n';
import type { ShownTask, ShownUnderWay } from '../../src/features/attempts/contract.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { count, rate } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import { Grid, type GridActions } from './grid.ts';
import { UnderWay } from './underWay.ts';
import { eachAlone, groupsOf, type AnswerGroup } from './groups.ts';
import { verdictWord } from './rows.ts';

export interface PageActions extends Omit<GridActions, 'refer'> {
  openTask: () => void;
  showEpoch: (epoch: number) => void;
  /** Keeps the attempt that the others are compared with. */
  keep: (task: ShownTask, reference: string | null) => void;
}

export class Page {
  readonly node: HTMLElement;
  readonly #actions: PageActions;
  readonly #heading = element('h1');
  readonly #summary = element('p', { class: 'summary', role: 'status' });
  readonly #gold = element('p', { class: 'gold' });
  readonly #answers = element('span');
  readonly #group = element('input', { type: 'checkbox', id: 'group-equal' });
  readonly #grouping = element(
    'p',
    { class: 'grouping' },
    this.#answers,
    this.#group,
    element('label', { for: 'group-equal' }, l10n.t('Equal answers in one column')),
  );
  readonly #epochs = element('select', { 'aria-label': l10n.t('Epoch') });
  readonly #notice = element('p', { class: 'notice', role: 'alert' });
  readonly #grid: Grid;
  readonly #empty = element('p', { class: 'quiet' }, l10n.t('No attempts recorded yet'));
  readonly #keys = element(
    'p',
    { class: 'quiet keys' },
    l10n.t(
      'Arrows move between attempts and turns. Enter opens an attempt, d shows its difference, r compares the others with it.',
    ),
  );
  readonly #underWay = new UnderWay();
  #task: ShownTask | null = null;
  #reference: string | null;

  constructor(reference: string | null, actions: PageActions) {
    this.#reference = reference;
    this.#actions = actions;
    this.#notice.hidden = true;
    this.#group.checked = true;
    this.#group.addEventListener('change', () => this.#draw());
    this.#grid = new Grid({
      ...actions,
      refer: (trace) => {
        this.#reference = trace;
        this.#draw();
      },
    });
    const open = element('button', { type: 'button', class: 'button' }, l10n.t('Open Task'));
    open.addEventListener('click', actions.openTask);
    this.#epochs.addEventListener('change', () => {
      // Those of the epoch before are on the page until then.
      this.#grid.node.setAttribute('aria-busy', 'true');
      this.#summary.textContent = l10n.t('Loading epoch {0}…', this.#epochs.value);
      actions.showEpoch(Number(this.#epochs.value));
    });
    this.node = element(
      'div',
      { class: 'page' },
      element('header', {}, this.#heading, this.#epochs, open),
      this.#summary,
      this.#gold,
      this.#grouping,
      this.#notice,
      this.#empty,
      this.#grid.node,
      this.#keys,
      this.#underWay.node,
    );
  }

  show(task: ShownTask): void {
    this.#task = task;
    this.#notice.hidden = true;
    this.#draw();
  }

  /** Attempts that are not recorded yet. */
  watch(underWay: ShownUnderWay): void {
    this.#underWay.show(underWay);
  }

  /** Shows an error at its cause. */
  tell(text: string): void {
    this.#draw();
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }

  #draw(): void {
    const task = this.#task;
    if (task === null) return;
    this.#grid.node.removeAttribute('aria-busy');
    const { attempts, epoch, epochs, gold, successRate } = task;
    this.#heading.textContent = l10n.t('Attempts at {0}', task.task);
    this.#summary.textContent = summaryOf(task);
    this.#gold.hidden = gold === null;
    this.#gold.replaceChildren(element('b', {}, l10n.t('Gold')), ' ', gold ?? '');
    const options = [...new Set([...epochs, epoch])].sort((a, b) => a - b);
    this.#epochs.replaceChildren(
      ...options.map((one) => element('option', { value: String(one) }, l10n.t('Epoch {0}', one))),
    );
    this.#epochs.value = String(epoch);
    this.#epochs.hidden = options.length < 2;
    this.#empty.hidden = attempts.length > 0;
    this.#grid.node.hidden = this.#keys.hidden = attempts.length === 0;
    const groups = groupsOf(attempts);
    this.#grouping.hidden = groups.length === attempts.length;
    this.#answers.textContent = l10n.t('Answers: {0}', groups.map(answerWords).join(' · '));
    const columns = this.#group.checked ? groups : eachAlone(attempts);
    const asked = attempts.find(({ id }) => id === this.#reference);
    // A successful attempt shows best what the others lack.
    const reference = asked ?? attempts.find(({ verdict }) => verdict === 'solved') ?? attempts[0];
    this.#actions.keep(task, asked?.id ?? null);
    const label = l10n.t('{0} attempts, {1} solved', attempts.length, successRate.successes);
    const column = columns.find(({ names }) => reference !== undefined && names.includes(reference.name));
    if (column !== undefined) this.#grid.show(label, columns, column.shown.id);
  }
}

/** `6 × r0, not solved`. */
const answerWords = ({ shown, names }: AnswerGroup): string =>
  l10n.t('{0} × {1}, {2}', count(names.length), shown.name, verdictWord(shown.verdict));

function summaryOf({ plan, epoch, runName, successRate, rescored }: ShownTask): string {
  const where = l10n.t('epoch {0} of “{1}”', epoch, runName);
  const again = rescored === null ? '' : l10n.t('rescored: {0}', measured(rescored));
  return [measured(successRate), again, where, plan].filter((part) => part !== '').join(' · ');
}

function measured({ p, low, high, successes, attempts }: ShownTask['successRate']): string {
  if (attempts === 0) return '';
  const share = p === null ? 'p̂ –' : `p̂ ${rate(p)} [${interval(low, high)}]`;
  return `${share} · ${l10n.t('{0}/{1} solved', count(successes), count(attempts))}`;
}
