/** The runs: each with its letter, dash, mark and colour, its differences, and a switch for the charts. */
import { create, symbol, symbolsFill } from 'd3';
import type { ComparedRun } from '../../src/features/compare/contract.ts';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import { distinctions, letterOf } from './differences.ts';

export interface LegendActions {
  toggle: (dir: string) => void;
  open: (dir: string) => void;
}

export class Legend {
  readonly node = element('ul', { class: 'legend', 'aria-label': l10n.t('Runs') });
  readonly #actions: LegendActions;

  constructor(actions: LegendActions) {
    this.#actions = actions;
  }

  update(runs: readonly ComparedRun[], hidden: readonly string[]): void {
    const focused = this.node.querySelector<HTMLElement>(':focus')?.dataset['key'];
    const apart = distinctions(runs);
    this.node.replaceChildren(...runs.map((run, i) => this.#item(run, i, apart[i] ?? '', hidden.includes(run.dir))));
    // Redrawn while a run grows: the keyboard focus stays.
    for (const button of this.node.querySelectorAll<HTMLElement>('button')) {
      if (focused !== undefined && button.dataset['key'] === focused) button.focus();
    }
  }

  #item(run: ComparedRun, index: number, apart: string, hidden: boolean): HTMLLIElement {
    const toggle = element(
      'button',
      {
        type: 'button',
        class: 'legend-switch',
        'aria-pressed': String(!hidden),
        'data-key': `toggle ${run.dir}`,
        title: hidden ? l10n.t('Show in the charts') : l10n.t('Hide in the charts'),
      },
      swatch(index),
      element('strong', {}, letterOf(index)),
      element('span', { class: 'legend-name' }, run.name),
    );
    toggle.addEventListener('click', () => this.#actions.toggle(run.dir));
    const open = iconButton('graph-scatter', l10n.t('Open calibration of {0}', letterOf(index)), () =>
      this.#actions.open(run.dir),
    );
    open.dataset['key'] = `open ${run.dir}`;
    const facts = [stateText(run), apart].filter((text) => text !== '').join(' · ');
    return element(
      'li',
      { class: `legend-item run-${index}${hidden ? ' legend-hidden' : ''}` },
      element('div', { class: 'legend-row' }, toggle, open),
      element('p', { class: 'legend-facts', title: run.dir }, ...prose(facts)),
      element('p', { class: 'legend-facts' }, run.id),
    );
  }
}

function stateText({ state, epochs, epochsPlanned }: ComparedRun): string {
  const done = l10n.t('{0} of {1} epochs', epochs.length, epochsPlanned);
  switch (state) {
    case 'running':
      return l10n.t('running, {0}', done);
    case 'paused':
      return l10n.t('paused, {0}', done);
    case 'finished':
      return l10n.t('finished, {0}', done);
    case 'failed':
      return l10n.t('failed, {0}', done);
    case 'stopped':
      return l10n.t('stopped, {0}', done);
    case 'interrupted':
      return l10n.t('interrupted, {0}', done);
    case 'gone':
      return l10n.t('its folder is gone, {0}', done);
  }
}

/** A piece of the run's line, as the charts draw it. */
function swatch(index: number): SVGSVGElement {
  const shape = symbolsFill[index % symbolsFill.length];
  const svg = create('svg:svg').attr('class', 'swatch').attr('viewBox', '0 0 34 12').attr('aria-hidden', 'true');
  const group = svg.append('g').attr('class', 'series');
  group.append('path').attr('class', 'line').attr('d', 'M1,6H33');
  group.append('path').attr('class', 'mark').attr('transform', 'translate(17,6)').attr('d', symbol(shape, 34)());
  const node = svg.node();
  if (!(node instanceof SVGSVGElement)) throw new TypeError('this document cannot make SVG elements');
  return node;
}
