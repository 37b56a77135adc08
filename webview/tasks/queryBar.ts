/** Filter and order of the list: the query, its progress, the number of matches. */
import * as l10n from '@vscode/l10n';
import { taskOrders, type TasksQuery, type TasksSource } from '../../src/features/tasks/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import { queryHelp } from './queryHelp.ts';
import { orderWord, tasksText } from './words.ts';

/** Milliseconds without a key after which a query is asked. */
const pause = 250;

/** Orders that say something of the tasks of a file, which no run has attempted. */
const ofFiles: readonly TasksQuery['order'][] = ['written', 'id', 'length', 'status', 'flags'];

export class QueryBar {
  readonly node: HTMLElement;
  readonly #ask: (query: TasksQuery) => void;
  readonly #input = element('input', {
    type: 'text',
    class: 'input query-input',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': l10n.t('Filter tasks'),
    'aria-describedby': 'query-problem',
    placeholder: l10n.t('Filter: p<0.2 flag:gold-disagrees "refund"'),
  });
  readonly #mark = element('span', { class: 'query-mark', 'aria-hidden': 'true', hidden: '' });
  readonly #problem = element('p', { class: 'query-problem', id: 'query-problem', role: 'alert', hidden: '' });
  readonly #order = element('select', { class: 'choice', 'aria-label': l10n.t('Order') });
  readonly #direction = iconButton('arrow-up', '', () => this.#turn());
  readonly #clear = iconButton('close', l10n.t('Clear the filter (Esc)'), () => this.clear());
  readonly #help = iconButton('question', l10n.t('Filter terms'), () =>
    this.#showHelp(this.#lines.hasAttribute('hidden')),
  );
  readonly #lines = queryHelp((example) => {
    this.#showHelp(false);
    this.add(example);
  });
  readonly #count = element('span', { class: 'count', role: 'status' });
  readonly #bar = element('progress', { 'aria-label': l10n.t('Filtering'), hidden: '' });
  #query: TasksQuery = { text: '', order: 'written', descending: false };
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: (query: TasksQuery) => void) {
    this.#ask = ask;
    this.#input.addEventListener('input', () => {
      this.#query = { ...this.#query, text: this.#input.value };
      this.#tell(null);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#now(), pause);
    });
    this.#input.addEventListener('scroll', () => this.#place());
    this.#input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.#now();
      else if (event.key !== 'Escape' || !this.clear()) return;
      event.preventDefault();
    });
    this.#order.addEventListener('change', () => {
      const order = taskOrders.find((one) => one === this.#order.value);
      if (order !== undefined) this.#set({ order });
    });
    this.#help.setAttribute('aria-expanded', 'false');
    this.#help.setAttribute('aria-controls', this.#lines.id);
    const field = element('div', { class: 'query-field' }, this.#input, this.#mark, this.#clear, this.#help);
    this.node = element(
      'div',
      { class: 'query', role: 'search' },
      element('div', { class: 'query-line' }, field, this.#order, this.#direction, this.#count, this.#bar),
      this.#problem,
      this.#lines,
    );
    this.node.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#lines.hidden) return;
      event.stopPropagation();
      this.#showHelp(false);
      this.#input.focus();
    });
    document.addEventListener('pointerdown', ({ target }) => {
      if (target instanceof Node && !this.#lines.contains(target) && !this.#help.contains(target))
        this.#showHelp(false);
    });
  }

  get query(): TasksQuery {
    return this.#query;
  }

  /** The query of the page's last visit, as far as it fits the source. Sends no request. */
  restore(query: TasksQuery, { kind, pool }: TasksSource): void {
    const orders = taskOrders.filter((one) =>
      one === 'weight' ? pool !== null : kind === 'run' || ofFiles.includes(one),
    );
    this.#order.replaceChildren(...orders.map((one) => element('option', { value: one }, orderWord(one))));
    this.#query = orders.includes(query.order) ? query : { ...query, order: 'written' };
    this.#draw();
  }

  focus(): void {
    this.#input.focus();
    this.#input.select();
  }

  /** Adds a term, unless it is there already. */
  add(term: string): void {
    const { text } = this.#query;
    if (!text.split(/\s+/).includes(term)) this.#set({ text: `${text.trim()} ${term}`.trim() });
    this.#input.focus();
  }

  /** True when there was something to clear. */
  clear(): boolean {
    if (this.#query.text === '') return false;
    this.#set({ text: '' });
    this.#input.focus();
    return true;
  }

  /** The result. @param problem the fault of an invalid query, and its place; the list then stays */
  found(matching: number, all: number, problem: { at: number; message: string } | null): void {
    this.#bar.hidden = true;
    this.counted(matching, all);
    this.#tell(problem);
  }

  counted(matching: number, all: number): void {
    this.#count.textContent = matching === all ? tasksText(all) : l10n.t('{0} of {1}', count(matching), tasksText(all));
  }

  progress(done: number, total: number): void {
    this.#bar.hidden = done >= total;
    this.#bar.max = Math.max(1, total);
    this.#bar.value = done;
  }

  #set(part: Partial<TasksQuery>): void {
    this.#query = { ...this.#query, ...part };
    this.#draw();
    this.#now();
  }

  #now(): void {
    clearTimeout(this.#timer);
    this.#ask(this.#query);
  }

  #turn(): void {
    this.#set({ descending: !this.#query.descending });
  }

  #showHelp(shown: boolean): void {
    this.#lines.hidden = !shown;
    this.#help.setAttribute('aria-expanded', String(shown));
  }

  #draw(): void {
    const { text, order, descending } = this.#query;
    if (this.#input.value !== text) this.#input.value = text;
    this.#clear.hidden = text === '';
    this.#order.value = order;
    const name = descending ? l10n.t('Descending') : l10n.t('Ascending');
    this.#direction.title = name;
    this.#direction.ariaLabel = name;
    const arrow = `codicon codicon-arrow-${descending ? 'down' : 'up'}`;
    this.#direction.replaceChildren(element('span', { class: arrow, 'aria-hidden': 'true' }));
  }

  #tell(problem: { at: number; message: string } | null): void {
    this.#clear.hidden = this.#input.value === '';
    this.#problem.hidden = this.#mark.hidden = problem === null;
    if (problem === null) this.#input.removeAttribute('aria-invalid');
    else this.#input.setAttribute('aria-invalid', 'true');
    if (problem === null) return;
    const { at, message } = problem;
    this.#problem.textContent = message;
    const text = this.#query.text.slice(at);
    const wrong = Math.max(1, text.search(/\s|$/));
    this.#mark.textContent = ' '.repeat(wrong);
    this.#mark.style.setProperty('--at', String(at));
    this.#place();
  }

  /** The mark follows its place when the field is scrolled. */
  #place(): void {
    this.#mark.style.setProperty('--scrolled', `${this.#input.scrollLeft}px`);
  }
}
