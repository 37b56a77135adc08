/** The field of a query, with the place of a fault marked and earlier queries to choose from. */
import * as l10n from '@vscode/l10n';
import type { QueryProblem } from '../../src/features/search/contract/traceQuery.ts';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';

export class QueryField {
  readonly node: HTMLElement;
  readonly #search: (text: string) => Promise<QueryProblem | null>;
  readonly #failed: (error: Error) => void;
  readonly #history = element('datalist', { id: 'history' });
  readonly #input = element('input', {
    type: 'text',
    class: 'input',
    spellcheck: 'false',
    autocomplete: 'off',
    list: 'history',
    'aria-label': l10n.t('Search traces'),
    'aria-describedby': 'query-problem query-help',
    placeholder: l10n.t('verdict:fail epoch:2..4 tool:search len>400 "time out"'),
  });
  readonly #mark = element('span', { class: 'query-mark', 'aria-hidden': 'true', hidden: '' });
  readonly #problem = element('p', { class: 'query-problem', id: 'query-problem', role: 'alert', hidden: '' });

  constructor(search: (text: string) => Promise<QueryProblem | null>, failed: (error: Error) => void) {
    this.#search = search;
    this.#failed = failed;
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      void this.#begin();
    });
    this.#input.addEventListener('input', () => this.#tell(null));
    this.#input.addEventListener('scroll', () => this.#place());
    const go = iconButton('search', l10n.t('Search (Enter)'), () => void this.#begin());
    this.node = element(
      'div',
      { class: 'query', role: 'search' },
      element('div', { class: 'query-field' }, this.#input, this.#mark, go, this.#history),
      this.#problem,
      element(
        'p',
        { class: 'quiet query-help', id: 'query-help' },
        l10n.t(
          'Words of the text, and fields: epoch, len, reward, part.NAME with : < > and ranges; verdict, purpose, stop, valid, tool, note, label, by; task, family, domain, trace, version. Prefix a term with - to exclude it.',
        ),
      ),
    );
  }

  /** The current query; keeps the text that the user is typing. */
  set(text: string): void {
    if (document.activeElement === this.#input && this.#input.value !== '') return;
    this.#input.value = text;
    this.#tell(null);
  }

  suggest(queries: readonly string[]): void {
    if (
      this.#history.childElementCount === queries.length &&
      this.#history.firstElementChild?.getAttribute('value') === queries[0]
    )
      return;
    this.#history.replaceChildren(...queries.map((value) => element('option', { value })));
  }

  async #begin(): Promise<void> {
    try {
      this.#tell(await this.#search(this.#input.value));
    } catch (error) {
      this.#failed(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #tell(problem: QueryProblem | null): void {
    this.#problem.hidden = this.#mark.hidden = problem === null;
    if (problem === null) {
      this.#input.removeAttribute('aria-invalid');
      return;
    }
    this.#input.setAttribute('aria-invalid', 'true');
    this.#problem.textContent = problem.message;
    const wrong = Math.max(1, this.#input.value.slice(problem.at).search(/\s|$/));
    this.#mark.textContent = ' '.repeat(wrong);
    this.#mark.style.setProperty('--at', String(problem.at));
    this.#place();
  }

  /** The mark follows its place when the field is scrolled. */
  #place(): void {
    this.#mark.style.setProperty('--scrolled', `${this.#input.scrollLeft}px`);
  }
}
