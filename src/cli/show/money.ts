/** `show RUN`: time left, money so far and by phase, and money left. */
import { forecastOf } from '../../engine/spending/forecast.ts';
import type { RunState } from '../../engine/state.ts';
import { outlook } from '../../runs/facts/timeline/outlook.ts';
import { outlayOf, type SpendingFold } from '../../runs/facts/spending.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { duration } from '../../shared/text/figures/durations.ts';
import { fixed } from '../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';

/** Nothing of a run without prices that is over. */
export function moneyLines(state: RunState, experiment: Experiment, shares: SpendingFold['shares']): string[] {
  const outlay = outlayOf(state, experiment);
  const forecast = forecastOf(state, null);
  const rests =
    forecast === null ? '' : forecast.epochs === 1 ? 'by the last epoch' : `by the last ${forecast.epochs} epochs`;
  const { secondsLeft } = outlook(state, experiment, null);
  const lines: string[] = [];
  if (state.finished === null) {
    const time =
      secondsLeft === null ? 'not known before an epoch has finished' : `about ${duration(secondsLeft)}, ${rests}`;
    lines.push(`time left  ${time}`);
  }
  if (outlay === null) return lines;
  const where = shares.map(({ phase, share }) => `${phase} ${percentToTenth(share)}`).join(', ');
  const left =
    state.finished !== null
      ? ''
      : outlay.left === null
        ? '; cost left not known'
        : `; about ${fixed(outlay.left, 2)} left, ${rests}`;
  lines.push(`cost       ${fixed(outlay.spent, 2)} so far${where === '' ? '' : ` (${where})`}${left}`);
  return lines;
}
