/** The phase portrait in its frame: difficulty by one of the domain's measures, against success. */
import * as l10n from '@vscode/l10n';
import { measure, rate } from '../../../src/shared/text/figures/numbers.ts';
import type { PhaseSpec } from '../../charts/phase/phaseChart.ts';
import { pathWindow, phaseMeasures, phasePoints, type PhaseMeasure } from '../../charts/phase/phaseCourse.ts';
import { ChartFrame, type SavedFile } from '../../lib/chartFrame.ts';
import { drawnInSight } from '../../lib/lists/inSight.ts';
import type { TableSource } from '../../lib/lists/table.ts';
import { MeasureChoice } from '../../lib/measureChoice.ts';
import { measureName, phaseNote, phaseReading } from '../../report/phaseWords.ts';
import type { RunModel } from '../runModel.ts';
import { FramedChart } from './framedChart.ts';
import { epochColumn } from './smallCharts.ts';

export interface PhaseActions {
  save: (file: SavedFile) => void;
  epoch: (epoch: number) => void;
  measure: (key: string) => void;
}

export class PhaseFrame {
  readonly frame: ChartFrame;
  readonly #model: RunModel;
  readonly #actions: PhaseActions;
  readonly #chart = new FramedChart('phase-chart', async () => {
    const { phaseChart } = await import('../../charts/phase/phaseChart.ts');
    return phaseChart(() => this.#spec());
  });
  readonly #choice: MeasureChoice;
  readonly #changed: () => void;
  #looked: number | null = null;
  #wanted: string | null = null;

  constructor(model: RunModel, actions: PhaseActions) {
    this.#model = model;
    this.#actions = actions;
    this.#choice = new MeasureChoice(actions.measure);
    this.frame = new ChartFrame({
      id: 'phase',
      title: l10n.t('Phase portrait'),
      chart: this.#chart.place,
      table: () => this.#table(),
      save: actions.save,
      tools: [this.#choice.node],
    });
    this.#changed = drawnInSight(this.frame.node, () => this.#draw());
  }

  /** @param wanted the measure that a person chose; the domain's first where the run does not have it */
  update(looked: number | null, wanted: string | null): void {
    this.#looked = looked;
    this.#wanted = wanted;
    this.#changed();
  }

  #draw(): void {
    const measures = phaseMeasures(this.#model.rows);
    const of = this.#measure(measures);
    const points = phasePoints(this.#model.rows, of);
    if (points.length === 0) {
      this.frame.missing = l10n.t('No epoch has been measured yet.');
      return;
    }
    this.#choice.update(measures.map(measureName), measureName(of));
    const note = phaseNote(points, pathWindow(points.length));
    this.#chart.show(this.frame, { reading: phaseReading(points, of), note });
  }

  #measure(measures: readonly PhaseMeasure[]): PhaseMeasure {
    const [first = { key: '', value: () => null }] = measures;
    return measures.find((one) => measureName(one) === this.#wanted) ?? first;
  }

  #spec(): PhaseSpec {
    const { rows, lastMeasured } = this.#model;
    const of = this.#measure(phaseMeasures(rows));
    const points = phasePoints(rows, of);
    const name = measureName(of);
    return {
      name: l10n.t('Phase portrait'),
      reading: phaseReading(points, of),
      difficulty: l10n.t('{0}, mean over the epoch', name),
      measure: name,
      points,
      band: lastMeasured?.curriculum ?? { alpha: 0.5, kMin: 0 },
      looked: this.#looked,
      onEpoch: this.#actions.epoch,
    };
  }

  #table(): TableSource {
    const { rows } = this.#model;
    const measures = phaseMeasures(rows);
    const measured = rows.filter(({ successRate }) => successRate?.p != null);
    const columns = [
      epochColumn(),
      ...measures.map((one) => ({ title: measureName(one), format: measure })),
      { title: l10n.t('p̂'), format: rate },
      { title: l10n.t('low'), format: rate },
      { title: l10n.t('high'), format: rate },
      { title: l10n.t('Written by') },
      { title: l10n.t('Attempted by') },
    ];
    return {
      columns,
      count: measured.length,
      row: (i) => {
        const row = measured[i];
        if (row === undefined) return [];
        const { p = null, low = null, high = null } = row.successRate ?? {};
        const { environment, agent } = row.versions;
        return [row.epoch, ...measures.map(({ value }) => value(row)), p, low, high, environment, agent];
      },
    };
  }
}
