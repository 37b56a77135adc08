/** The page of a rescoring, put together. */
import * as l10n from '@vscode/l10n';
import type {
  RescoreAct,
  RescoreResult,
  RescoreRow,
  RescoreState,
  RescoreView,
} from '../../src/features/rescore/contract/page.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import type { SavedFile } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import { prose } from '../lib/symbols.ts';
import { Table } from '../lib/lists/table.ts';
import { ActionBar } from './actionBar.ts';
import { EpochCharts } from './epochCharts.ts';
import { FaultList } from './faultList.ts';
import { figuresOf } from './figures.ts';
import { FlipList } from './flipList.ts';
import { headline, learning } from './words.ts';
import { messageOf } from '../../src/shared/messageOf.ts';

export interface PageActions {
  rows: (view: RescoreView, from: number, to: number) => Promise<readonly RescoreRow[]>;
  open: (view: RescoreView, row: number) => void;
  openFault: (fault: number, what: 'line' | 'trace') => void;
  act: (act: RescoreAct) => void;
  save: (file: SavedFile) => void;
  /** The view is kept over a reload. */
  keep: (state: RescoreState, view: RescoreView) => void;
}

export class Page {
  readonly node: HTMLElement;
  readonly #actions: PageActions;
  readonly #heading = element('h1');
  readonly #headline = element('p', { class: 'headline', role: 'status' });
  readonly #notice = element('p', { class: 'notice', role: 'alert', hidden: '' });
  readonly #quiet = element('p', { class: 'quiet', hidden: '' });
  readonly #learning = element('ul', { class: 'learning' });
  readonly #bar: ActionBar;
  readonly #table: Table;
  readonly #charts: EpochCharts;
  readonly #faults: FaultList;
  readonly #list: FlipList;
  readonly #result: HTMLElement;
  #state: RescoreState | null = null;

  constructor(view: RescoreView, actions: PageActions) {
    this.#actions = actions;
    this.#bar = new ActionBar(actions.act);
    this.#table = new Table(l10n.t('Recorded and rescored'), figuresOf(null));
    this.#charts = new EpochCharts(actions.save);
    this.#faults = new FaultList(actions.openFault);
    this.#list = new FlipList(view, {
      rows: actions.rows,
      open: actions.open,
      chosen: (chosen) => {
        if (this.#state !== null) actions.keep(this.#state, chosen);
      },
      failed: (error) => this.tell(messageOf(error)),
    });
    this.#result = element(
      'div',
      { class: 'result', hidden: '' },
      element(
        'div',
        { class: 'overview' },
        element('div', { class: 'figures' }, this.#table.node, this.#learning),
        this.#charts.node,
      ),
      this.#faults.node,
      this.#list.node,
    );
    this.node = element(
      'div',
      { class: 'page' },
      element('header', {}, this.#heading, this.#bar.node),
      this.#headline,
      this.#notice,
      this.#quiet,
      this.#result,
    );
  }

  show(state: RescoreState): void {
    const before = this.#state?.result ?? null;
    this.#state = state;
    const { result, failure, share, rewardName, runName } = state;
    this.#heading.textContent = l10n.t('“{0}” under {1}', runName, rewardName);
    this.#bar.show(state);
    this.#notice.hidden = failure === null;
    this.#notice.textContent = failure ?? '';
    this.#quiet.hidden = result !== null || failure !== null;
    this.#quiet.textContent =
      share === null
        ? l10n.t('Nothing scored since the window was loaded. Select “Score Again”.')
        : l10n.t('Every recorded attempt is judged by the reward. Nothing of the run is changed.');
    this.#headline.hidden = this.#result.hidden = result === null;
    this.#actions.keep(state, this.#list.view);
    if (result !== null && result.number !== before?.number) this.#draw(result);
  }

  /** Shows an error. */
  tell(text: string): void {
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }

  #draw(result: RescoreResult): void {
    this.#headline.replaceChildren(...prose(headline(result)));
    this.#table.show(figuresOf(result));
    this.#learning.replaceChildren(...learning(result).map((text) => element('li', {}, ...prose(text))));
    this.#charts.show(result.epochs);
    this.#faults.show(result);
    this.#list.show(result);
    const quiet = [
      ...(result.leftOut === 0
        ? []
        : [l10n.t('{0} attempts are left out: their tasks are not recorded.', count(result.leftOut))]),
      ...(result.cutOff === 0
        ? []
        : [
            l10n.t(
              '{0} families were cut off by the recorded verdicts: p̂ of both is of the attempts made.',
              count(result.cutOff),
            ),
          ]),
    ];
    if (quiet.length > 0) {
      this.#quiet.hidden = false;
      this.#quiet.textContent = quiet.join(' ');
    }
  }
}
