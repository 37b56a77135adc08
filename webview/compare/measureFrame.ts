/** One measure of all runs: chart, sentence, table. */
import type { ComparedRun } from '../../src/features/compare/contract.ts';
import { runOfDomain } from './runOfDomain.ts';
import type { ChartHost } from '../charts/chartHost.ts';
import { ChartFrame, type SavedFile } from '../lib/chartFrame.ts';
import { listed } from '../../src/shared/text/figures/notation.ts';
import type { Cell } from '../lib/csv.ts';
import { element } from '../lib/element.ts';
import { drawnInSight } from '../lib/lists/inSight.ts';
import * as l10n from '@vscode/l10n';
import type { TableSource } from '../lib/lists/table.ts';
import { letterOf } from './differences.ts';
import { axisWords, type Measure } from './measures.ts';
import type { Smoothing } from '../charts/smoothing/means.ts';
import type { Axis } from './navigation.ts';
import { overlayChart, type OverlayRun } from './overlayChart.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

export interface MeasureView {
  runs: readonly ComparedRun[];
  hidden: readonly string[];
  axis: Axis;
  smoothing: Smoothing;
  /** Of several, the domain that the runs are shown of. */
  domain: string | null;
}

export class MeasureFrame {
  readonly frame: ChartFrame;
  readonly #measure: Measure;
  readonly #chart: ChartHost;
  #view: MeasureView = { runs: [], hidden: [], axis: 'epoch', smoothing: 1, domain: null };
  #runs: OverlayRun[] = [];
  readonly #changed: () => void;

  constructor(measure: Measure, save: (file: SavedFile) => void) {
    this.#measure = measure;
    this.#chart = overlayChart(measure.title, () => {
      const { axis, smoothing } = this.#view;
      return { measure, axis, smoothing, runs: this.#runs };
    });
    const place = element('div', {}, this.#chart.node);
    this.frame = new ChartFrame({
      id: measure.id,
      title: measure.title,
      chart: place,
      table: () => this.#table(),
      save: (file) => save({ ...file, name: `compare-${file.name}` }),
    });
    this.#changed = drawnInSight(this.frame.node, () => this.#draw());
  }

  update(view: MeasureView): void {
    this.#view = view;
    const { whole, optional, points } = this.#measure;
    const absent = optional === true && view.runs.every((run) => points(run, view.axis).length === 0);
    this.frame.node.hidden = absent || (whole === true && view.domain !== null);
    this.#changed();
  }

  #draw(): void {
    const { runs, hidden, axis, domain } = this.#view;
    const shown = runs.map((run, index): OverlayRun => {
      const shownRun = domain === null ? run : runOfDomain(run, domain);
      const points = hidden.includes(run.dir) ? [] : this.#measure.points(shownRun, axis);
      return { index, letter: letterOf(index), name: run.name, points };
    });
    this.#runs = shown.filter(({ points }) => points.length > 0);
    const none = this.#runs.length === 0;
    this.frame.missing = none
      ? hidden.length === runs.length
        ? l10n.t('Every run is switched off above.')
        : this.#measure.missing
      : null;
    this.frame.reading = none ? '' : this.#reading();
    this.#chart.redraw(none ? this.#measure.title : this.#reading());
    this.frame.refresh();
  }

  #reading(): string {
    const { format } = this.#measure;
    const ends = this.#runs.flatMap(({ letter, points }) => {
      const last = points.at(-1);
      return last === undefined ? [] : [{ epoch: last.epoch, text: `${letter} ${format(last.value)}` }];
    });
    const epochs = new Set(ends.map(({ epoch }) => epoch));
    const [epoch] = epochs;
    if (epochs.size === 1) return l10n.t('At epoch {0}: {1}.', epoch ?? 0, listed(ends.map(({ text }) => text)));
    const each = ends.map(({ text, epoch: at }) => l10n.t('{0} (epoch {1})', text, at));
    return l10n.t('Newest: {0}.', listed(each));
  }

  #table(): TableSource {
    return this.#view.axis === 'epoch' ? this.#byEpoch() : this.#byPoint();
  }

  #byEpoch(): TableSource {
    const { format } = this.#measure;
    const runs = this.#runs.map(({ letter, points }) => ({
      letter,
      ranged: points.some(({ low }) => low !== null),
      at: new Map(points.map((point) => [point.epoch, point])),
    }));
    const epochs = [...new Set(runs.flatMap(({ at }) => [...at.keys()]))].sort((a, b) => a - b);
    const columns = runs.flatMap(({ letter, ranged }) => [
      { title: letter, format },
      ...(ranged
        ? [
            { title: l10n.t('{0} low', letter), format },
            { title: l10n.t('{0} high', letter), format },
          ]
        : []),
    ]);
    return {
      columns: [{ title: l10n.t('Epoch'), format: String }, ...columns],
      count: epochs.length,
      row: (i) => {
        const epoch = epochs[i] ?? outOfRange();
        const cells = runs.flatMap(({ at, ranged }): Cell[] => {
          const point = at.get(epoch);
          const value = point?.value ?? null;
          return ranged ? [value, point?.low ?? null, point?.high ?? null] : [value];
        });
        return [epoch, ...cells];
      },
    };
  }

  #byPoint(): TableSource {
    const { format } = this.#measure;
    const axis = axisWords(this.#view.axis);
    const rows = this.#runs.flatMap(({ letter, name, points }) =>
      points.map(({ epoch, x, value, low, high }): Cell[] => [`${letter} ${name}`, epoch, x, value, low, high]),
    );
    return {
      columns: [
        { title: l10n.t({ message: 'Run', comment: 'Heads a column of runs' }) },
        { title: l10n.t('Epoch'), format: String },
        { title: axis.name, format: axis.format },
        { title: l10n.t('Value'), format },
        { title: l10n.t('Low'), format },
        { title: l10n.t('High'), format },
      ],
      count: rows.length,
      row: (i) => rows[i] ?? [],
    };
  }
}
