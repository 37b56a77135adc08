/** The phases of the last epochs on the clock. */
import { duration } from '../../../src/shared/text/figures/durations.ts';
import { timelineChart } from '../../charts/timeline/timelineChart.ts';
import { timelineEpochs, timelineRange } from '../../../src/shared/report/timelineCourse.ts';
import type { Context } from '../context.ts';
import { figure } from '../figure.ts';
import {
  isAhead,
  mostEpochs,
  phaseNames,
  stretchWords,
  timelineColumns,
  timelineNote,
  timelineReading,
  timelineRows,
} from './timelineWords.ts';

/** Null before an epoch has finished. */
export function timelineFigure({ data }: Context): HTMLElement | null {
  const epochs = timelineEpochs(data.epochs, timelineRange(data.epochs, null, mostEpochs));
  if (epochs.length === 0) return null;
  const reading = timelineReading(epochs);
  const title = 'Who waited for whom';
  const chart = timelineChart(() => ({
    ...{ name: title, reading, epochs, title: 'epoch', phases: phaseNames(), said: stretchWords },
    ahead: isAhead(epochs) ? 'for a later epoch' : null,
  }));
  const twin = {
    columns: timelineColumns(),
    rows: () =>
      timelineRows(timelineEpochs(data.epochs)).map(([epoch, phase, of, from, to, length]) => [
        ...[String(epoch), phase, String(of), duration(from), duration(to), duration(length)],
      ]),
  };
  return figure({ id: 'timeline', title, reading, chart: chart.node, twin, note: timelineNote(epochs) });
}
