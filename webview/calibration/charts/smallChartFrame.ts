/** A small chart in its frame; drawn anew only while it is in sight and something changed. */
import { liveLineChart, type LineSpec } from '../../charts/lineChart.ts';
import { liveStackChart, type StackSpec } from '../../charts/stackChart.ts';
import type { ChartHost } from '../../charts/chartHost.ts';
import type { Smoothing } from '../../charts/smoothing/means.ts';
import { ChartFrame, type SavedFile } from '../../lib/chartFrame.ts';
import { element } from '../../lib/element.ts';
import { drawnInSight } from '../../lib/lists/inSight.ts';
import type { RunModel } from '../runModel.ts';
import type { Missing, Shown, SmallChart } from './smallCharts.ts';
import { defined } from '../../../src/shared/defined.ts';

export interface SmallChartActions {
  save: (file: SavedFile) => void;
  epoch: (epoch: number) => void;
}

const height = 168;

export class SmallChartFrame {
  readonly frame: ChartFrame;
  readonly #chart: SmallChart;
  readonly #model: RunModel;
  readonly #actions: SmallChartActions;
  readonly #place = element('div', { class: 'small-chart' });
  readonly #changed: () => void;
  #host: { kind: 'lines' | 'stack'; host: ChartHost } | null = null;
  #shown: Shown | Missing = { missing: '' };
  #looked: number | null = null;
  #smoothing: Smoothing = 1;

  constructor(chart: SmallChart, model: RunModel, actions: SmallChartActions) {
    this.#chart = chart;
    this.#model = model;
    this.#actions = actions;
    this.frame = new ChartFrame({
      id: chart.id,
      title: chart.title,
      chart: this.#place,
      table: () => {
        const shown = chart.show(model);
        const { columns, rows } = 'missing' in shown ? { columns: [], rows: [] } : shown;
        return { columns, count: rows.length, row: (i) => rows[i] ?? [] };
      },
      save: actions.save,
    });
    this.#changed = drawnInSight(this.frame.node, () => this.#draw());
  }

  /** Whether it says anything of this run. */
  get isThere(): boolean {
    if (this.#chart.whole === true && this.#model.domain !== null) return false;
    return this.#chart.absent?.(this.#model) !== true;
  }

  update(looked: number | null, smoothing: Smoothing): void {
    this.#looked = looked;
    this.#smoothing = smoothing;
    this.#changed();
  }

  #draw(): void {
    const shown = this.#chart.show(this.#model);
    this.#shown = shown;
    if ('missing' in shown) {
      this.frame.missing = shown.missing;
      return;
    }
    this.frame.missing = null;
    this.frame.reading = shown.reading;
    this.frame.value = shown.value ?? '';
    this.frame.note = shown.note ?? '';
    this.frame.refresh();
    const kind = shown.lines === undefined ? 'stack' : 'lines';
    if (this.#host?.kind === kind) {
      this.#host.host.redraw(shown.reading);
      return;
    }
    const host = kind === 'lines' ? liveLineChart(() => this.#lineSpec()) : liveStackChart(() => this.#stackSpec());
    this.#host = { kind, host };
    this.#place.replaceChildren(host.node);
  }

  #common() {
    const { title } = this.#chart;
    const shown = this.#shown;
    const { reading, unit, format } = 'missing' in shown ? { reading: '', unit: '', format: String } : shown;
    return {
      name: title,
      reading,
      unit,
      format,
      epochs: this.#model.span,
      changes: this.#model.marks,
      looked: this.#looked,
      onEpoch: this.#actions.epoch,
      height,
    };
  }

  #lineSpec(): LineSpec {
    const lines = 'missing' in this.#shown ? undefined : this.#shown.lines;
    const { series = [], references = [], crosses } = lines ?? {};
    return { ...this.#common(), smoothing: this.#smoothing, series, references, ...defined({ crosses }) };
  }

  #stackSpec(): StackSpec {
    const stack = 'missing' in this.#shown ? undefined : this.#shown.stack;
    const { layers = [], rows = [], normalise = false, formatPart = String } = stack ?? {};
    return { ...this.#common(), layers, rows, normalise, formatPart };
  }
}
