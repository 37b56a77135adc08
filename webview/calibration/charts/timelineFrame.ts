/** The phase timeline in its frame: the epoch that is looked at, and those before it. */
import * as l10n from '@vscode/l10n';
import { duration } from '../../../src/shared/text/figures/durations.ts';
import { timelineChart, type TimelineSpec } from '../../charts/timeline/timelineChart.ts';
import { timelineEpochs, timelineRange, type TimelineEpoch } from '../../../src/shared/report/timelineCourse.ts';
import { ChartFrame, type SavedFile } from '../../lib/chartFrame.ts';
import { drawnInSight } from '../../lib/lists/inSight.ts';
import type { TableSource } from '../../lib/lists/table.ts';
import {
  isAhead,
  mostEpochs,
  phaseNames,
  stretchWords,
  timelineColumns,
  timelineNote,
  timelineReading,
  timelineRows,
} from '../../report/timeline/timelineWords.ts';
import type { RunModel } from '../runModel.ts';
import { FramedChart } from './framedChart.ts';

interface TimelineActions {
  save: (file: SavedFile) => void;
  epoch: (epoch: number) => void;
}

export class TimelineFrame {
  readonly frame: ChartFrame;
  readonly #model: RunModel;
  readonly #actions: TimelineActions;
  readonly #chart = new FramedChart('timeline-chart', () => timelineChart(() => this.#spec()));
  readonly #changed: () => void;
  #shown: TimelineEpoch[] = [];
  #looked: number | null = null;

  constructor(model: RunModel, actions: TimelineActions) {
    this.#model = model;
    this.#actions = actions;
    this.frame = new ChartFrame({
      id: 'timeline',
      title: l10n.t('Who waited for whom'),
      chart: this.#chart.place,
      table: () => this.#table(),
      save: actions.save,
    });
    this.#changed = drawnInSight(this.frame.node, () => this.#draw());
  }

  /** Time belongs to the whole run: one of several domains has none of its own. */
  update(looked: number | null): void {
    this.#looked = looked;
    this.frame.node.hidden = this.#model.domain !== null;
    this.#changed();
  }

  #draw(): void {
    const { wholeRows } = this.#model;
    this.#shown = timelineEpochs(wholeRows, timelineRange(wholeRows, this.#looked, mostEpochs));
    if (this.#shown.length === 0) {
      this.frame.missing = l10n.t('No epoch has finished yet.');
      return;
    }
    this.#chart.show(this.frame, { reading: timelineReading(this.#shown), note: timelineNote(this.#shown) });
  }

  #spec(): TimelineSpec {
    return {
      name: l10n.t('Who waited for whom'),
      reading: timelineReading(this.#shown),
      epochs: this.#shown,
      title: l10n.t('epoch'),
      phases: phaseNames(),
      ahead: isAhead(this.#shown) ? l10n.t('for a later epoch') : null,
      said: stretchWords,
      looked: this.#looked,
      onEpoch: this.#actions.epoch,
    };
  }

  /** Every epoch, not only those drawn. */
  #table(): TableSource {
    const rows = timelineRows(timelineEpochs(this.#model.wholeRows));
    const columns = timelineColumns().map((title, i) => ({
      title,
      ...(i !== 1 && { format: i > 2 ? duration : String }),
    }));
    return { columns, count: rows.length, row: (i) => rows[i] ?? [] };
  }
}
