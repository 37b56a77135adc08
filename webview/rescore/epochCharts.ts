/** p̂ and R_env of every epoch under both rewards; each chart's table is one key away. */
import * as l10n from '@vscode/l10n';
import type { RescoreResult } from '../../src/features/rescore/contract/page.ts';
import { interval } from '../../src/shared/text/figures/intervals.ts';
import { rate } from '../../src/shared/text/figures/numbers.ts';
import { liveLineChart, type LineSpec } from '../charts/lineChart.ts';
import type { SeriesPoint } from '../charts/seriesGeometry.ts';
import { ChartFrame, type SavedFile } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import type { TableSource } from '../lib/lists/table.ts';

type Epochs = RescoreResult['epochs'];

/** A value of one side with its interval. */
interface Measured {
  value: number | null;
  low: number;
  high: number;
}

interface Panel {
  id: string;
  title: string;
  reading: string;
  of: (epoch: Epochs[number], side: 'before' | 'after') => Measured;
}

const panels = (): Panel[] => [
  {
    id: 'success-rate',
    title: l10n.t('p̂ of families'),
    reading: l10n.t('The success rate by epoch, as recorded and as the reward judges now.'),
    of: ({ successRate }, side) => ({ ...successRate[side], value: successRate[side].p }),
  },
  {
    id: 'environment-reward',
    title: l10n.t('Mean R_env'),
    reading: l10n.t('What the environment would have been rewarded with.'),
    of: ({ environmentReward }, side) => ({ ...environmentReward[side], value: environmentReward[side].mean }),
  },
];

export class EpochCharts {
  readonly node: HTMLElement;
  readonly #drawn: { show: () => void }[];
  #epochs: Epochs = [];

  constructor(save: (file: SavedFile) => void) {
    const made = panels().map((panel) => this.#frame(panel, save));
    this.#drawn = made;
    this.node = element('div', { class: 'charts' }, ...made.map(({ frame }) => frame.node));
  }

  show(epochs: Epochs): void {
    this.#epochs = epochs;
    for (const { show } of this.#drawn) show();
  }

  #frame(panel: Panel, save: (file: SavedFile) => void): { frame: ChartFrame; show: () => void } {
    const { id, title, reading } = panel;
    const chart = liveLineChart(() => this.#spec(panel));
    const frame = new ChartFrame({
      ...{ id, title, save },
      chart: element('div', {}, chart.node),
      table: () => this.#table(panel),
    });
    frame.reading = reading;
    const show = (): void => {
      frame.missing = this.#epochs.length === 0 ? l10n.t('No epoch was scored yet.') : null;
      if (this.#epochs.length > 0) chart.redraw();
      frame.refresh();
    };
    return { frame, show };
  }

  #spec({ title, reading, of }: Panel): LineSpec {
    const points = (side: 'before' | 'after'): SeriesPoint[] =>
      this.#epochs.flatMap((epoch) => {
        const { value, low, high } = of(epoch, side);
        return value === null ? [] : [{ epoch: epoch.epoch, value, low, high }];
      });
    return {
      ...{ name: title, reading, unit: '', references: [], changes: [], format: rate, height: 180 },
      epochs: [this.#epochs[0]?.epoch ?? 0, this.#epochs.at(-1)?.epoch ?? 0],
      series: [
        { label: l10n.t('recorded'), tone: 'muted', mark: 'circle', points: points('before') },
        { label: l10n.t('rescored'), tone: 'agent', mark: 'diamond', dashed: true, points: points('after') },
      ],
    };
  }

  #table({ of }: Panel): TableSource {
    const epochs = this.#epochs;
    const said = ({ value, low, high }: Measured): string =>
      value === null ? '–' : `${rate(value)} [${interval(low, high)}]`;
    return {
      columns: [
        { title: l10n.t('Epoch'), format: String },
        { title: l10n.t('Recorded') },
        { title: l10n.t('Rescored') },
      ],
      count: epochs.length,
      row: (index) => {
        const epoch = epochs[index];
        return epoch === undefined ? [] : [epoch.epoch, said(of(epoch, 'before')), said(of(epoch, 'after'))];
      },
    };
  }
}
