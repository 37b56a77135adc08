/** Calibration over epochs, and the families of one epoch that a person chooses. */
import type { EpochRow, FamilyPoint, ReportData } from '../../src/shared/report/data.ts';
import { domainsIn, epochOfDomain } from '../../src/shared/report/oneDomain.ts';
import { BandChart } from '../charts/bandChart.ts';
import { FamilyChart, type FamilyView } from '../charts/families/familyChart.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { number, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';
import { verdictOf } from '../charts/verdict.ts';
import { element } from '../lib/element.ts';
import { cell, type Context } from './context.ts';
import { figure, missingFigure, type Twin } from './figure.ts';
import { opener, placed } from './places.ts';
import { calibrationReading, familiesReading } from './readings.ts';
import { section } from './section.ts';

export function calibrationSection({ data }: Context): HTMLElement {
  const heading = 'Did difficulty follow the agent?';
  const measured = data.epochs.filter(({ successRate }) => successRate !== null);
  const last = measured.at(-1);
  if (last === undefined) {
    return section(
      'calibration',
      heading,
      missingFigure('calibration-chart', 'Calibration over epochs', 'No epoch has been measured yet.'),
    );
  }
  const families = new FamilyFigure(data, measured, last);
  const reading = calibrationReading(data.epochs);
  const chart = new BandChart({
    epochs: data.epochs.map(({ epoch, curriculum, successRate }) => ({
      epoch,
      curriculum,
      mean: successRate?.p == null ? null : { p: successRate.p, low: successRate.low, high: successRate.high },
    })),
    families: data.families,
    changes: data.changes,
    reading,
    onEpoch: (epoch) => families.choose(epoch),
  });
  families.onChange = (epoch) => chart.select(epoch);
  chart.select(last.epoch);
  const { beta } = last.curriculum;
  const calibration = figure({
    id: 'calibration-chart',
    title: 'Calibration over epochs',
    reading,
    chart: chart.host.node,
    twin: calibrationTwin(data),
    note:
      `Each dot is a task family: ● kept by the difficulty filter, ○ left out. The line is the mean over all attempts, with its 95 % interval over families. ` +
      `Right: what a p̂ earns the environment, R_env = exp(−β(p̂ − α)²) with β = ${number(beta)}. ${formerNote(data)}Choose an epoch to see its families below.`,
  });
  return section('calibration', heading, calibration, families.node);
}

function formerNote({ epochs }: ReportData): string {
  const rewards = new Set(epochs.map(({ curriculum }) => `${curriculum.alpha} ${curriculum.beta}`));
  return rewards.size > 1 ? 'Dashed: the reward before it was changed. ' : '';
}

function calibrationTwin({ epochs, families }: ReportData): Twin {
  const domains = domainsIn(epochs);
  const byEpoch = Map.groupBy(families, ({ epoch }) => epoch);
  return {
    columns: [
      ...['Epoch', 'Mean p̂', '95 % interval', 'Band', 'In band', 'Mean R_env', 'Kept'],
      ...domains.map((domain) => `p̂ of ${domain}`),
      'p̂ of its families',
    ],
    rows: () =>
      epochs.map((row) => [
        String(row.epoch),
        cell(row.successRate?.p, rate),
        row.successRate === null ? '—' : interval(row.successRate.low, row.successRate.high),
        `${rate(row.curriculum.alpha)} ± ${rate(row.curriculum.kMin)}`,
        cell(row.inBand, percent),
        cell(row.environmentReward, rate),
        `${row.familiesKept} of ${row.families}`,
        ...domains.map((name) => cell(epochOfDomain(row, name).successRate?.p, rate)),
        (byEpoch.get(row.epoch) ?? [])
          .map(({ p }) => p)
          .sort((a, b) => a - b)
          .map(rate)
          .join(' '),
      ]),
  };
}

/** The chart of one epoch with the slider that chooses it. */
class FamilyFigure {
  readonly node: HTMLElement;
  onChange: (epoch: number) => void = () => undefined;
  readonly #data: ReportData;
  readonly #epochs: readonly EpochRow[];
  readonly #chart: FamilyChart;
  readonly #slider: HTMLInputElement;
  readonly #output: HTMLOutputElement;
  readonly #byEpoch: ReadonlyMap<number, FamilyPoint[]>;

  constructor(data: ReportData, epochs: readonly EpochRow[], chosen: EpochRow) {
    this.#data = data;
    this.#epochs = epochs;
    this.#byEpoch = Map.groupBy(data.families, ({ epoch }) => epoch);
    const view = this.#view(chosen);
    this.#chart = new FamilyChart(view);
    const open = opener();
    if (open !== null) this.#chart.onChoose = ({ id, epoch }) => open({ epoch, family: id });
    const index = epochs.indexOf(chosen);
    this.#slider = element('input', {
      type: 'range',
      id: 'family-epoch',
      min: '0',
      max: String(epochs.length - 1),
      value: String(index),
      'aria-valuetext': `epoch ${chosen.epoch}`,
    });
    this.#output = element('output', { for: 'family-epoch' }, String(chosen.epoch));
    this.#slider.addEventListener('input', () => this.#show(Number(this.#slider.value)));
    const scrubber = element(
      'p',
      { class: 'scrubber' },
      element('label', { for: 'family-epoch' }, 'Epoch '),
      this.#output,
      this.#slider,
    );
    if (epochs.length < 2) scrubber.hidden = true;
    this.node = figure({
      id: 'family-chart',
      title: 'Families of one epoch, hardest to easiest',
      reading: view.reading,
      chart: element('div', {}, scrubber, this.#chart.host.node),
      twin: {
        columns: familyColumns,
        rows: () => this.#rows(),
        head: (family) => placed(family, { epoch: Number(this.#output.textContent), family }),
      },
    });
  }

  choose(epoch: number): void {
    const index = this.#epochs.findIndex((row) => row.epoch === epoch);
    if (index >= 0) this.#show(index);
  }

  #show(index: number): void {
    const row = this.#epochs[index];
    if (row === undefined) return;
    const view = this.#view(row);
    this.#slider.value = String(index);
    this.#slider.setAttribute('aria-valuetext', `epoch ${row.epoch}`);
    this.#output.textContent = String(row.epoch);
    this.#chart.show(view);
    const reading = this.node.querySelector('.reading');
    if (reading !== null) reading.textContent = view.reading;
    // The table beside the chart belongs to the chosen epoch: clear it, and fill it again where it is open.
    const twin = this.node.querySelector('details');
    twin?.querySelector('.scroll')?.remove();
    if (twin?.open === true) twin.dispatchEvent(new Event('toggle'));
    this.onChange(row.epoch);
  }

  #view(row: EpochRow): FamilyView {
    const { epoch, curriculum, spread } = row;
    const families = this.#byEpoch.get(epoch) ?? [];
    const reading = familiesReading(row, families.length);
    return { epoch, curriculum, families, spread, reading, weighted: this.#data.run.trains.environment };
  }

  #rows(): string[][] {
    const row = this.#epochs[Number(this.#slider.value)];
    if (row === undefined) return [];
    return (this.#byEpoch.get(row.epoch) ?? [])
      .toSorted((a, b) => a.p - b.p)
      .map((family) => [
        family.id,
        verdictOf(family.p, row.curriculum),
        rate(family.p),
        interval(family.low, family.high),
        `${family.successes} of ${family.attempts}`,
        rate(family.environmentReward),
        family.kept > 0 ? percent(family.weight) : 'left out',
        family.plan,
      ]);
  }
}

const familyColumns = ['Family', 'Verdict', 'p̂', '95 % interval', 'Solved', 'R_env', 'Weight', 'Plan'];
