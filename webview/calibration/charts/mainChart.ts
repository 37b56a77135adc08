/** The cloud of all families in its frame: tools, selection, table and files. */
import { scoreEpoch, type EpochScores } from '../../../src/engine/math/scoring.ts';
import { familyRate } from '../../charts/families/familyRate.ts';
import type { Curriculum } from '../../../src/shared/report/data.ts';
import { CloudChart } from '../../charts/cloud/cloudChart.ts';
import type { DragMode } from '../../charts/cloud/cloudGestures.ts';
import type { Range } from '../../charts/cloud/cloudOverlay.ts';
import type { Density } from '../../charts/cloud/cloudPaint.ts';
import type { CloudStop } from '../../charts/cloud/cloudStop.ts';
import { epochText, familyText } from '../../charts/cloud/cloudText.ts';
import type { View } from '../../charts/cloud/cloudView.ts';
import { number, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { ChartFrame, iconButton, type SavedFile } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';
import * as l10n from '@vscode/l10n';
import type { TableSource } from '../../lib/lists/table.ts';
import { calibrationReading } from '../../report/readings.ts';
import type { FamilyNames } from '../familyNames.ts';
import { FamilyRows } from './familyRows.ts';
import type { Navigation } from '../navigation.ts';
import type { RunModel } from '../runModel.ts';
import { SelectionBar } from '../selectionBar.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { CloudData, CloudEpoch } from '../../charts/cloud/cloudData.ts';

export interface MainChartActions {
  save: (file: SavedFile) => void;
  epoch: (epoch: number) => void;
  /** By its place among the epoch's families. */
  family: (epoch: number, ordinal: number) => void;
  select: (range: Range | null) => void;
  view: (view: View | null) => void;
  drag: (mode: DragMode) => void;
  filter: (range: Range) => void;
  whatIf: () => void;
}

/** Milliseconds. */
const restsAfter = 150;

export class MainChart {
  readonly frame: ChartFrame;
  readonly #model: RunModel;
  readonly #names: FamilyNames;
  readonly #chart: CloudChart;
  readonly #selection: SelectionBar;
  readonly #modes: Record<DragMode, HTMLButtonElement>;
  #density: Density = 'intervals';
  #previews = false;
  #selected: Range | null = null;
  #noted = '';
  #epochs: CloudEpoch[] = [];
  #scored: { epoch: number; again: EpochScores } | null = null;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(model: RunModel, names: FamilyNames, actions: MainChartActions) {
    this.#model = model;
    this.#names = names;
    this.#chart = new CloudChart({
      name: l10n.t('Success rate of every task family by epoch'),
      index: model.index,
      text: (stop) => this.#text(stop),
      onEpoch: actions.epoch,
      onFamily: (epoch, place) => {
        const family = model.index.family[place] ?? outOfRange();
        actions.family(epoch, family - (model.columns.epoch(epoch)?.from ?? 0));
      },
      onSelect: actions.select,
      onView: actions.view,
      onDrawn: (density) => {
        this.#density = density;
        this.#note();
      },
    });
    this.#selection = new SelectionBar({
      change: (range) => this.#chart.select(range),
      zoom: ({ epochs, rates }) => {
        this.#chart.look({ x: [epochs[0] - 0.5, epochs[1] + 0.5], y: [rates[0] - 0.01, rates[1] + 0.01] });
      },
      filter: actions.filter,
      whatIf: actions.whatIf,
    });
    this.#modes = {
      select: iconButton('inspect', l10n.t('Drag selects families'), () => actions.drag('select')),
      pan: iconButton('move', l10n.t('Drag moves the view (or Alt and drag)'), () => actions.drag('pan')),
    };
    this.frame = new ChartFrame({
      id: 'families',
      title: l10n.t('Difficulty over epochs'),
      chart: element('div', { class: 'main-chart' }, this.#chart.node),
      table: () => this.#table(),
      svg: () => this.#chart.svg(),
      save: actions.save,
      tools: [
        this.#modes.select,
        this.#modes.pan,
        iconButton('zoom-in', l10n.t('Zoom in (+, or Ctrl and wheel)'), () => this.#chart.zoom({ x: 0.6, y: 1 })),
        iconButton('zoom-out', l10n.t('Zoom out (−)'), () => this.#chart.zoom({ x: 1 / 0.6, y: 1 / 0.6 })),
        iconButton('screen-full', l10n.t('Show all (0)'), () => this.#chart.look(null)),
        element('span', { class: 'divider' }),
      ],
    });
    this.frame.node.append(this.#selection.node);
  }

  /** Puts a kept state back. */
  restore({ view, selection }: Navigation): void {
    if (view !== null) this.#chart.look(view);
    if (selection !== null) this.#chart.select(selection);
  }

  update(navigation: Navigation, looked: number | null, preview: Curriculum | null): void {
    const { rows, marks, facts, index } = this.#model;
    this.#epochs = rows.map(({ epoch, curriculum, successRate: own }) => ({
      epoch,
      curriculum,
      mean: own?.p == null ? null : { p: own.p, low: own.low, high: own.high },
    }));
    this.#scored = null;
    const data: CloudData = { epochs: this.#epochs, index, changes: marks, looked, preview };
    const reading = calibrationReading(rows);
    this.#chart.show(data, facts?.epochsPlanned ?? 0, reading);
    this.#previews = preview !== null;
    this.updateSelection(navigation);
    this.frame.reading = reading;
  }

  updateSelection({ drag, selection }: Navigation): void {
    this.#chart.mode = drag;
    for (const [mode, button] of Object.entries(this.#modes))
      button.setAttribute('aria-pressed', String(mode === drag));
    this.#selection.update(selection, this.#model.index);
    this.#selected = selection;
    this.#note();
    this.frame.refresh();
  }

  /** An epoch's names arrived: one may be displayed now. */
  named(): void {
    this.#chart.retell();
  }

  /** The description depends on the amount in view: updated with every drawing. */
  #note(): void {
    const marks: Record<Density, string> = {
      cells: l10n.t('The stronger a cell, the more families; zoom in to see each of them.'),
      marks: l10n.t(
        '● kept by the difficulty filter, ○ left out; hardest first within an epoch. Zoom in to see their intervals.',
      ),
      intervals: l10n.t(
        '● kept by the difficulty filter, ○ left out; hardest first within an epoch, bars are 95 % intervals.',
      ),
    };
    const tried = this.#previews ? ` ${l10n.t('Dotted: the band and the reward you try out.')}` : '';
    const narrowed = this.#selected === null ? '' : ` ${l10n.t('The table has the selected families only.')}`;
    const text = marks[this.#density] + tried + narrowed;
    if (text !== this.#noted) this.frame.note = text;
    this.#noted = text;
  }

  #text(stop: CloudStop): readonly string[] {
    const epoch = this.#epochs.find((one) => one.epoch === stop.epoch);
    if (epoch === undefined) return [];
    const { index, columns } = this.#model;
    const data = { epochs: this.#epochs, index, changes: this.#model.marks, looked: null, preview: null };
    if (stop.place === null) return epochText(data, epoch);
    const ordinal = (index.family[stop.place] ?? outOfRange()) - (columns.epoch(stop.epoch)?.from ?? 0);
    const reward = this.#rescored(epoch)?.reward[ordinal] ?? 0;
    const name = this.#names.known(stop.epoch, ordinal);
    clearTimeout(this.#asking);
    // A pointer on its way passes many epochs: only where it rests are names worth asking for.
    if (name === undefined) this.#asking = setTimeout(() => this.#names.all(stop.epoch), restsAfter);
    return familyText(data, epoch, stop.place, reward, name);
  }

  /** The reward of each family of an epoch: computed here, because it follows from the sent data. */
  #rescored({ epoch, curriculum }: CloudEpoch): EpochScores | null {
    if (this.#scored?.epoch === epoch) return this.#scored.again;
    const scored = this.#model.columns.epoch(epoch);
    if (scored === undefined) return null;
    this.#scored = { epoch, again: scoreEpoch(this.#model.columns, scored, curriculum) };
    return this.#scored.again;
  }

  #table(): TableSource {
    const { index, columns } = this.#model;
    const selected = this.#selected;
    const rows = new FamilyRows(
      selected === null ? index.stretches : index.stretchesIn(selected.epochs, selected.rates),
    );
    return {
      columns: [
        { title: l10n.t('Epoch'), format: String },
        { title: l10n.t('p̂'), format: rate },
        { title: l10n.t('low'), format: rate },
        { title: l10n.t('high'), format: rate },
        { title: l10n.t('Solved'), format: number },
        { title: l10n.t('Attempts'), format: number },
        { title: l10n.t('Tasks'), format: number },
        { title: l10n.t('Kept'), format: percent },
        { title: l10n.t('Weight'), format: percent },
      ],
      count: rows.count,
      row: (at) => {
        const { epoch, place } = rows.at(at);
        const family = index.family[place] ?? outOfRange();
        const { successes, attempts, p, low, high } = familyRate(columns, family);
        const [kept, weight] = [columns.kept[family] ?? outOfRange(), columns.weight[family] ?? outOfRange()];
        return [epoch, p, low, high, successes, attempts, columns.tasksOf(family), kept, weight];
      },
      choose: (at) => this.#chart.choose(rows.at(at)),
    };
  }
}
