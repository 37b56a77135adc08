/** The page of two evaluations: which, the difference, and the tasks that make it. */
import * as l10n from '@vscode/l10n';
import type { PairRow, PairState } from '../../../src/features/evaluation/contract.ts';
import { count } from '../../../src/shared/text/figures/numbers.ts';
import { percentToTenth } from '../../../src/shared/text/figures/shares.ts';
import { element } from '../../lib/element.ts';
import { VirtualList, type ListRow } from '../../lib/lists/virtualList.ts';

const kinds = ['gained', 'lost', 'missed'] as const;
type Kind = PairRow['kind'];

const titles = (): Record<Kind, string> => ({
  gained: l10n.t('Gained'),
  lost: l10n.t('Lost'),
  missed: l10n.t('Missed by both'),
});
const icons: Record<Kind, string> = { gained: 'arrow-up', lost: 'arrow-down', missed: 'x' };
/** Pixels. */
const rowHeight = 26;

export class PairPage {
  readonly node: HTMLElement;
  readonly #heading = element('h1');
  readonly #sides = element('tbody');
  readonly #findings = element('ul', { class: 'findings' });
  readonly #notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #buttons = new Map<Kind, HTMLButtonElement>();
  readonly #equal = element('span', { class: 'quiet' });
  readonly #none = element('p', { class: 'quiet', hidden: '' }, l10n.t('There are none.'));
  readonly #list: VirtualList;
  #state: PairState | null = null;
  #kind: Kind = 'gained';
  #rows: readonly PairRow[] = [];

  constructor(open: (task: string) => void) {
    const choose = (index: number): void => {
      const row = this.#rows[index];
      if (row !== undefined) open(row.task);
    };
    this.#list = new VirtualList({
      ...{ name: l10n.t('Tasks'), rowHeight, multiple: false },
      row: (index) => {
        const row = this.#rows[index];
        return row === undefined ? null : rowOf(row, index === this.#list.active);
      },
      need: () => undefined,
      go: () => this.#list.refresh(),
      choose,
    });
    this.#list.node.addEventListener('click', ({ detail }) => {
      if (detail === 1) choose(this.#list.active);
    });
    const group = element('div', { class: 'views', role: 'group', 'aria-label': l10n.t('What the list shows') });
    for (const kind of kinds) {
      const button = element('button', { type: 'button', class: 'button' });
      button.addEventListener('click', () => this.#choose(kind));
      this.#buttons.set(kind, button);
      group.append(button);
    }
    group.append(this.#equal);
    const head = ['', l10n.t('Policy'), l10n.t('Attempts a task'), 'pass@1'];
    this.node = element(
      'div',
      { class: 'page pair' },
      this.#heading,
      element(
        'table',
        { class: 'sides' },
        element('thead', {}, element('tr', {}, ...head.map((text) => element('th', { scope: 'col' }, text)))),
        this.#sides,
      ),
      this.#findings,
      this.#notice,
      group,
      this.#none,
      this.#list.node,
      element('p', { class: 'quiet' }, l10n.t('A click or Enter opens both answers beside each other.')),
    );
  }

  show(state: PairState): void {
    this.#state = state;
    this.#heading.textContent = l10n.t('Two evaluations on {0}', state.benchmark);
    this.#sides.replaceChildren(
      ...state.sides.map(({ name, attempts, pass }, i) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, i === 0 ? 'A' : 'B'),
          element('td', {}, name),
          element('td', { class: 'number' }, count(attempts)),
          element('td', { class: 'number' }, percentToTenth(pass)),
        ),
      ),
    );
    this.#findings.replaceChildren(...state.findings.map((text) => element('li', {}, text)));
    this.#equal.textContent = l10n.t('{0} solved as often by both', count(state.equal));
    const first = kinds.find((kind) => state.rows.some((row) => row.kind === kind));
    this.#choose(first ?? 'gained');
  }

  /** Shows an error. */
  tell(text: string): void {
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }

  #choose(kind: Kind): void {
    this.#kind = kind;
    const all = this.#state?.rows ?? [];
    this.#rows = all.filter((row) => row.kind === kind);
    for (const [one, button] of this.#buttons) {
      button.textContent = `${titles()[one]} ${count(all.filter((row) => row.kind === one).length)}`;
      button.setAttribute('aria-pressed', String(one === this.#kind));
    }
    this.#none.hidden = this.#rows.length > 0;
    this.#list.node.hidden = this.#rows.length === 0;
    this.#list.setCount(this.#rows.length);
    this.#list.refresh();
  }
}

function rowOf({ task, category, kind, rights: [a, b] }: PairRow, selected: boolean): ListRow {
  const rights = l10n.t('A {0}, B {1}', a, b);
  const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
    element('span', { class: name, role: 'gridcell' }, ...children);
  const icon = element('span', { class: `codicon codicon-${icons[kind]} kind-${kind}`, 'aria-hidden': 'true' });
  return {
    name: [task, titles()[kind], rights, category].filter((part) => part !== '').join(', '),
    cells: [
      element(
        'span',
        { class: 'row-line', role: 'presentation' },
        cell('row-kind', icon, rights),
        cell('row-task', task),
        cell('row-category', category),
      ),
    ],
    selected,
  };
}
