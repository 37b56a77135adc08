/** The page that compares runs, put together. */
import { mostRuns, type ComparedRun } from '../../src/features/compare/contract.ts';
import { domainsIn } from '../../src/shared/report/oneDomain.ts';
import type { SavedFile } from '../lib/chartFrame.ts';
import { DomainChoice } from '../lib/domainChoice.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { SmoothingChoice } from '../charts/smoothing/smoothingChoice.ts';
import { AxisChoice } from './axisChoice.ts';
import { Legend } from './legend.ts';
import { MeasureFrame } from './measureFrame.ts';
import { measures } from './measures.ts';
import type { Navigation } from './navigation.ts';
import { PairSection, type PairActions } from './pairSection.ts';
import { SettingsSection } from './settingsSection.ts';

export interface PageActions extends Omit<PairActions, 'choose'> {
  keep: (navigation: Navigation) => void;
  save: (file: SavedFile) => void;
  openRun: (run: string) => void;
  chooseRuns: () => void;
}

export class Page {
  readonly node: HTMLElement;
  readonly #actions: PageActions;
  readonly #heading = element('h1');
  readonly #notice = element('p', { class: 'notice', role: 'alert' });
  readonly #legend: Legend;
  readonly #axis: AxisChoice;
  readonly #smoothing: SmoothingChoice;
  readonly #domains: DomainChoice;
  readonly #frames: readonly MeasureFrame[];
  readonly #pair: PairSection;
  readonly #settings: SettingsSection;
  #runs: readonly ComparedRun[] = [];
  #navigation: Navigation;

  constructor(navigation: Navigation, actions: PageActions) {
    this.#navigation = navigation;
    this.#actions = actions;
    this.#notice.hidden = true;
    this.#legend = new Legend({ toggle: (dir) => this.#toggle(dir), open: actions.openRun });
    this.#axis = new AxisChoice((axis) => this.#go({ axis }));
    this.#smoothing = new SmoothingChoice((smoothing) => this.#go({ smoothing }));
    this.#domains = new DomainChoice((domain) => this.#go({ domain }));
    this.#frames = measures().map((measure) => new MeasureFrame(measure, actions.save));
    this.#pair = new PairSection({ ...actions, choose: (pair) => this.#go({ pair }) });
    this.#settings = new SettingsSection(() => this.#go({ allSettings: !this.#navigation.allSettings }));
    const others = element('button', { type: 'button', class: 'button' }, l10n.t('Other Runs…'));
    others.title = l10n.t('Compare other runs, {0} at most', mostRuns);
    others.addEventListener('click', actions.chooseRuns);
    this.node = element(
      'div',
      { class: 'page' },
      element('header', {}, this.#heading, this.#domains.node, this.#axis.node, this.#smoothing.node, others),
      this.#notice,
      this.#legend.node,
      element(
        'section',
        { class: 'charts', 'aria-label': l10n.t('Charts') },
        ...this.#frames.map(({ frame }) => frame.node),
      ),
      this.#pair.node,
      this.#settings.node,
    );
  }

  get navigation(): Navigation {
    return this.#navigation;
  }

  open(runs: readonly ComparedRun[], navigation: Navigation): void {
    this.#navigation = navigation;
    this.#notice.hidden = true;
    this.update(runs);
  }

  update(runs: readonly ComparedRun[]): void {
    this.#runs = runs;
    const { axis, smoothing, hidden, pair, allSettings } = this.#navigation;
    const domains = [...new Set(runs.flatMap(({ epochs }) => domainsIn(epochs)))];
    const domain = domains.find((name) => name === this.#navigation.domain) ?? null;
    this.#domains.update(domains, domain);
    this.#heading.textContent = l10n.t('Compare {0} runs', runs.length);
    this.#axis.update(axis);
    this.#smoothing.update(smoothing);
    this.#legend.update(runs, hidden);
    for (const frame of this.#frames) frame.update({ runs, hidden, axis, smoothing, domain });
    this.#pair.update(runs, pair);
    this.#settings.update(runs, allSettings);
  }

  /** Shows an error at its cause. */
  tell(text: string): void {
    this.#notice.hidden = false;
    this.#notice.textContent = text;
  }

  #toggle(dir: string): void {
    const { hidden } = this.#navigation;
    this.#go({ hidden: hidden.includes(dir) ? hidden.filter((one) => one !== dir) : [...hidden, dir] });
  }

  #go(change: Partial<Navigation>): void {
    this.#navigation = { ...this.#navigation, ...change };
    this.#actions.keep(this.#navigation);
    this.update(this.#runs);
  }
}
