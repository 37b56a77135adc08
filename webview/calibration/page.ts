/** The whole page: assembles its parts and updates them with the run and the user's navigation. */
import type { ScoringSettings } from '../../src/engine/math/scoring.ts';
import type { CalibrationFacts } from '../../src/features/calibration/contract.ts';
import type { EpochRow } from '../../src/shared/report/data.ts';
import type { Range } from '../charts/cloud/cloudOverlay.ts';
import { isTyping, type SavedFile } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import { SmoothingChoice } from '../charts/smoothing/smoothingChoice.ts';
import * as l10n from '@vscode/l10n';
import { calibrationCharts } from './charts/calibrationCharts.ts';
import { isSame } from './changes.ts';
import { EpochFrame } from './epochFrame.ts';
import type { FamilyNames } from './familyNames.ts';
import { Header, type Steer } from './header.ts';
import { Headline } from './headline.ts';
import { learningCharts } from './charts/learningCharts.ts';
import { MainChart } from './charts/mainChart.ts';
import type { Navigation } from './navigation.ts';
import { PhaseFrame } from './charts/phaseFrame.ts';
import { qualityCharts } from './charts/qualityCharts.ts';
import type { RunModel } from './runModel.ts';
import { SmallChartFrame } from './charts/smallChartFrame.ts';
import { effortCharts, policyCharts, updateCharts } from './charts/updateCharts.ts';
import { TimelineFrame } from './charts/timelineFrame.ts';
import { VersionsFrame } from './charts/versionsFrame.ts';
import { WhatIfPanel } from './whatIfPanel.ts';
import { nowText } from './words.ts';

/** The page's requests to the host. */
export interface PageActions {
  save: (file: SavedFile) => void;
  steer: (action: Steer, epoch: number | null) => void;
  family: (epoch: number, ordinal: number) => void;
  filter: (range: Range) => void;
  apply: (settings: ScoringSettings) => void;
  /** Opens the form of a branch with these settings. */
  branch: (settings: ScoringSettings) => void;
  /** Navigation changed: keep it. */
  keep: (navigation: Navigation) => void;
}

/** A part that can be drawn alone. */
type Part = 'header' | 'main' | 'selection' | 'epoch' | 'whatIf' | 'small';
const everything: readonly Part[] = ['header', 'main', 'epoch', 'whatIf', 'small'];

/** Milliseconds. */
const keepAfter = 200;
const restsAfter = 120;

export class Page {
  readonly node: HTMLElement;
  readonly #model: RunModel;
  readonly #actions: PageActions;
  readonly #header: Header;
  readonly #headline = new Headline();
  readonly #main: MainChart;
  readonly #epoch: EpochFrame;
  readonly #whatIf: WhatIfPanel;
  readonly #phase: PhaseFrame;
  readonly #versions: VersionsFrame;
  readonly #timeline: TimelineFrame;
  readonly #policies: readonly SmallChartFrame[];
  readonly #beside = element('div', { class: 'course-policies' });
  readonly #small: readonly SmallChartFrame[];
  readonly #smoothing: SmoothingChoice;
  readonly #grid = element('div', { class: 'grid' });
  readonly #empty = element('div', { class: 'empty', role: 'status' });
  readonly #notice = element('div', { class: 'notice', role: 'alert' });
  readonly #body: HTMLElement;
  #navigation: Navigation;
  readonly #stale = new Set<Part>();
  #drawing = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #selecting: ReturnType<typeof setTimeout> | undefined;

  constructor(model: RunModel, names: FamilyNames, navigation: Navigation, actions: PageActions) {
    this.#model = model;
    this.#actions = actions;
    this.#navigation = navigation;
    const { save, family, filter } = actions;
    const epoch = (chosen: number | null): void =>
      this.#go({ looked: this.#isNewest(chosen) ? null : chosen }, ...everything);
    this.#header = new Header(
      (action) => actions.steer(action, this.#looked?.epoch ?? null),
      epoch,
      (domain) => this.#go({ domain, selection: null }, ...everything),
    );
    this.#main = new MainChart(model, names, {
      save,
      epoch,
      family,
      filter,
      select: (selection) => {
        this.#go({ selection: selection === null ? null : rangeToKeep(selection) }, 'selection');
        // A drag changes it with every frame; the rest is computed when it stops.
        clearTimeout(this.#selecting);
        this.#selecting = setTimeout(() => this.#show('whatIf'), restsAfter);
      },
      view: (view) => this.#go({ view: view === null ? null : { x: [...view.x], y: [...view.y] } }),
      drag: (drag) => this.#go({ drag }, 'selection'),
      whatIf: () => {
        this.#go({ whatIfOver: 'selection' }, 'whatIf');
        this.#whatIf.node.scrollIntoView({ block: 'nearest' });
      },
    });
    this.#epoch = new EpochFrame(model, names, { save, family });
    this.#whatIf = new WhatIfPanel(model, names, {
      change: (whatIf) => this.#go({ whatIf }, 'main', 'whatIf'),
      over: (whatIfOver) => this.#go({ whatIfOver }, 'whatIf'),
      apply: actions.apply,
      branch: actions.branch,
      family,
    });
    this.#phase = new PhaseFrame(model, { save, epoch, measure: (measure) => this.#go({ measure }, 'small') });
    this.#versions = new VersionsFrame(model, save);
    this.#timeline = new TimelineFrame(model, { save, epoch });
    this.#policies = policyCharts().map((chart) => new SmallChartFrame(chart, model, { save, epoch }));
    this.#smoothing = new SmoothingChoice((smoothing) => this.#go({ smoothing }, 'small'));
    const charts = [calibrationCharts, learningCharts, updateCharts, qualityCharts, effortCharts].flatMap((of) => of());
    this.#small = charts.map((chart) => new SmallChartFrame(chart, model, { save, epoch }));
    this.#body = element(
      'div',
      { class: 'body' },
      this.#headline.node,
      this.#main.frame.node,
      element('div', { class: 'detail' }, this.#epoch.frame.node, this.#whatIf.node),
      this.#smoothing.node,
      element('div', { class: 'course' }, this.#phase.frame.node, this.#beside, this.#versions.frame.node),
      this.#grid,
      this.#timeline.frame.node,
    );
    this.#empty.hidden = true;
    this.#notice.hidden = true;
    this.#header.node.append(this.#notice);
    this.node = element('div', { class: 'page' }, this.#header.node, this.#empty, this.#body);
    this.#body.hidden = true;
    names.onLoad = () => {
      this.#main.named();
      this.#show('epoch', 'whatIf');
    };
    document.addEventListener('keydown', (event) => this.#press(event));
  }

  get navigation(): Navigation {
    return this.#navigation;
  }

  /** Another run, or the same one anew. */
  open(navigation: Navigation): void {
    this.#navigation = navigation;
    this.#main.restore(navigation);
    this.update();
  }

  /** Draws with the next frame, so that many messages in a row cost one drawing. */
  update(): void {
    this.#show(...everything);
  }

  /** Shows a failure of a user's request, or its result. */
  tell(message: string, remedy = ''): void {
    const close = element('button', { type: 'button', class: 'link' }, l10n.t('Dismiss'));
    close.addEventListener('click', () => {
      this.#notice.hidden = true;
    });
    this.#notice.replaceChildren(element('span', {}, [message, remedy].filter((part) => part !== '').join(' ')), close);
    this.#notice.hidden = message === '';
  }

  /** The current activity changed; the run's numbers did not. */
  updateProgress(): void {
    this.#show('header');
  }

  get #measured(): readonly EpochRow[] {
    return this.#model.rows.filter(({ successRate }) => successRate !== null);
  }

  get #looked(): EpochRow | undefined {
    const { looked } = this.#navigation;
    const row = looked === null ? undefined : this.#model.row(looked);
    return row?.successRate == null ? this.#model.lastMeasured : row;
  }

  #isNewest(epoch: number | null): boolean {
    return epoch === this.#model.lastMeasured?.epoch;
  }

  /** Keeps where a person went, a moment later: a drag goes through many places. */
  #go(change: Partial<Navigation>, ...parts: readonly Part[]): void {
    this.#navigation = { ...this.#navigation, ...change };
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#actions.keep(this.#navigation), keepAfter);
    this.#show(...parts);
  }

  #show(...parts: readonly Part[]): void {
    for (const part of parts) this.#stale.add(part);
    if (this.#drawing !== 0 || this.#stale.size === 0) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#showNow();
    });
  }

  #showNow(): void {
    const { facts, progress, complete, failure } = this.#model;
    if (facts === null) return;
    const stale = new Set(this.#stale);
    this.#stale.clear();
    const { domains } = this.#model;
    const { domain } = this.#navigation;
    this.#model.chooseDomain(domain !== null && domains.includes(domain) ? domain : null);
    const measured = this.#measured;
    const looked = this.#looked;
    if (stale.has('header')) this.#showHeader(facts, measured);
    if (failure !== null) this.tell(failure.message, failure.remedy);
    const nothing = measured.length === 0;
    this.#empty.hidden = !nothing;
    this.#body.hidden = nothing;
    if (nothing) {
      this.#showEmpty(nowText(facts, progress, complete));
      return;
    }
    this.#dropTaken(facts);
    const navigation = this.#navigation;
    if (stale.has('header')) this.#headline.update(this.#model);
    if (stale.has('main')) this.#main.update(navigation, looked?.epoch ?? null, navigation.whatIf);
    else if (stale.has('selection')) this.#main.updateSelection(navigation);
    if (stale.has('epoch') || stale.has('selection')) this.#epoch.update(looked, navigation.selection);
    if (stale.has('whatIf')) this.#whatIf.update(navigation, looked);
    if (!stale.has('small')) return;
    this.#smoothing.update(navigation.smoothing);
    this.#phase.update(looked?.epoch ?? null, navigation.measure);
    this.#versions.update();
    this.#timeline.update(looked?.epoch ?? null);
    arrange(this.#beside, this.#policies);
    arrange(this.#grid, this.#small);
    for (const small of [...this.#policies, ...this.#small]) small.update(looked?.epoch ?? null, navigation.smoothing);
  }

  /** A tried setting that is now in force is no longer a trial. */
  #dropTaken({ curriculum }: CalibrationFacts): void {
    const { whatIf } = this.#navigation;
    if (whatIf === null || !isSame(curriculum, whatIf)) return;
    this.#navigation = { ...this.#navigation, whatIf: null };
    this.#notice.hidden = true;
  }

  #showHeader(facts: CalibrationFacts, measured: readonly EpochRow[]): void {
    const { progress } = this.#model;
    this.#header.domains.update(this.#model.domains, this.#model.domain);
    this.#header.update(facts, progress, this.#model.rows.filter(({ seconds }) => seconds.other !== null).length);
    this.#header.scrubber.update(
      measured.map(({ epoch }) => epoch),
      this.#navigation.looked,
    );
  }

  #showEmpty(text: string): void {
    const { progress } = this.#model;
    const bars = progress.phases
      .filter(({ total }) => total > 0)
      .map(({ done, total }) => {
        const bar = element('progress', { max: String(total), value: String(done), 'aria-label': text });
        return bar;
      });
    const { domain } = this.#model;
    const why =
      domain === null
        ? l10n.t('Success rates of task families appear here as soon as the first epoch is scored.')
        : l10n.t('No family of the domain {0} has been measured yet.', domain);
    this.#empty.replaceChildren(
      element('p', { class: 'empty-now' }, text),
      ...bars,
      element('p', { class: 'quiet' }, why),
    );
  }

  /** ← and → select other epochs unless another element uses them; t turns the main chart into its table. */
  #press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const taken =
      event.target instanceof Element && event.target.closest('[role=slider], input, select, .table') !== null;
    if (taken) return;
    if (event.key === 'ArrowLeft') this.#header.scrubber.step(-1);
    else if (event.key === 'ArrowRight') this.#header.scrubber.step(1);
    else if (event.key === 't') this.#main.frame.toggleTable();
    else return;
    event.preventDefault();
  }
}

const rangeToKeep = ({ epochs, rates }: Range): Navigation['selection'] => ({
  epochs: [...epochs],
  rates: [...rates],
});

/** Puts the small charts into their place that say something of this run. */
function arrange(place: HTMLElement, charts: readonly SmallChartFrame[]): void {
  const nodes = charts.filter(({ isThere }) => isThere).map(({ frame }) => frame.node);
  if (nodes.length !== place.childElementCount) place.replaceChildren(...nodes);
}
