/** A run's charts and one page's share of them, told of every event as the host tells them. */
import { CalibrationFold } from '../../../src/features/calibration/host/calibrationFold.ts';
import { RunCharts } from '../../../src/runs/facts/runCharts.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import type { JournalEvent } from '../../../src/shared/journal/events.ts';

export class ChartedRun {
  readonly charts: RunCharts;
  readonly fold: CalibrationFold;

  constructor(experiment: Experiment, events: Iterable<JournalEvent> = []) {
    this.charts = new RunCharts([{ parent: null, experiment }]);
    this.fold = new CalibrationFold(this.charts);
    for (const event of events) this.add(event);
  }

  add(event: JournalEvent): void {
    this.charts.add(event);
    this.fold.note(event);
  }
}
