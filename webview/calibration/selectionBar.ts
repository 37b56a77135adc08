/** The selection in the cloud, as editable numbers, with its actions. */
import { count, plural } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import type { CloudIndex } from '../charts/cloud/cloudIndex.ts';
import type { Range } from '../charts/cloud/cloudOverlay.ts';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';

export interface SelectionActions {
  change: (range: Range | null) => void;
  zoom: (range: Range) => void;
  filter: (range: Range) => void;
  whatIf: () => void;
}

export class SelectionBar {
  readonly node: HTMLElement;
  readonly #fields: Record<'from' | 'to' | 'low' | 'high', HTMLInputElement>;
  readonly #told = element('span', { class: 'selection-told', role: 'status' });
  readonly #filter = element('button', { type: 'button', class: 'button button-primary' });
  #range: Range | null = null;

  constructor(actions: SelectionActions) {
    const field = (label: string, step: string): HTMLInputElement => {
      const input = element('input', { type: 'number', class: 'field', step, 'aria-label': label });
      input.addEventListener('change', () => {
        const range = this.#typed();
        if (range !== null) actions.change(range);
      });
      return input;
    };
    this.#fields = {
      from: field(l10n.t('First epoch'), '1'),
      to: field(l10n.t('Last epoch'), '1'),
      low: field(l10n.t('Lowest p̂'), '0.05'),
      high: field(l10n.t('Highest p̂'), '0.05'),
    };
    const act = (does: (range: Range) => void) => (): void => {
      if (this.#range !== null) does(this.#range);
    };
    const zoom = element('button', { type: 'button', class: 'button' }, l10n.t('Zoom to it'));
    const whatIf = element('button', { type: 'button', class: 'button' }, l10n.t('What if'));
    this.#filter.addEventListener('click', act(actions.filter));
    zoom.addEventListener('click', act(actions.zoom));
    whatIf.addEventListener('click', () => actions.whatIf());
    const { from, to, low, high } = this.#fields;
    this.node = element(
      'div',
      { class: 'selection', role: 'group', 'aria-label': l10n.t('Selection') },
      element('span', { class: 'pair' }, l10n.t('Epochs'), from, '–', to),
      element('span', { class: 'pair' }, l10n.t('p̂'), low, '–', high),
      this.#told,
      element(
        'span',
        { class: 'selection-actions' },
        this.#filter,
        zoom,
        whatIf,
        iconButton('close', l10n.t('Clear the selection (Esc)'), () => actions.change(null)),
      ),
    );
    this.node.hidden = true;
  }

  update(range: Range | null, index: CloudIndex): void {
    this.#range = range;
    this.node.hidden = range === null;
    if (range === null) return;
    const { from, to, low, high } = this.#fields;
    for (const [input, value] of [
      [from, range.epochs[0]],
      [to, range.epochs[1]],
      [low, range.rates[0]],
      [high, range.rates[1]],
    ] as const) {
      if (document.activeElement !== input) input.value = String(value);
    }
    const { families, kept } = index.countIn(range.epochs, range.rates);
    const share = families === 0 ? '' : ` · ${l10n.t('{0} kept', percent(kept / families))}`;
    this.#told.textContent = `${plural(families, l10n.t('family'), l10n.t('families'))}${share}`;
    this.#filter.textContent =
      families === 1 ? l10n.t('Show 1 family in the tree') : l10n.t('Show {0} families in the tree', count(families));
    this.#filter.disabled = families === 0;
  }

  #typed(): Range | null {
    const { from, to, low, high } = this.#fields;
    const [a, b, c, d] = [from, to, low, high].map(({ valueAsNumber }) => valueAsNumber);
    if (a === undefined || b === undefined || c === undefined || d === undefined) return null;
    if ([a, b, c, d].some(Number.isNaN)) return null;
    return { epochs: [Math.min(a, b), Math.max(a, b)], rates: [Math.min(c, d), Math.max(c, d)] };
  }
}
