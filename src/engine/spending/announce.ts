/** A line of the log before each epoch: the time and money that it will likely take, and whether they are left. */
import { pricesOf } from '../../shared/money/prices.ts';
import { forecastOf, spentOn } from './forecast.ts';
import type { Loop } from '../loop.ts';

/** Nothing where nothing has a price or a budget, or before the first epoch has been measured. */
export function announce(
  { experiment, state, ports }: Pick<Loop, 'experiment' | 'state' | 'ports'>,
  epoch: number,
): void {
  const { budget, endpoints } = experiment;
  const prices = pricesOf(endpoints);
  const forecast = forecastOf(state, prices);
  if (forecast === null || (prices === null && budget.hours === null)) return;
  const hours = forecast.seconds / 3600;
  const spent = { hours: state.spent.seconds / 3600, cost: prices === null ? 0 : spentOn(state, prices) };
  const money = forecast.cost === null ? '' : ` and ${forecast.cost.toFixed(2)}`;
  const rests = forecast.epochs === 1 ? 'the last epoch' : `the last ${forecast.epochs} epochs`;
  const said = `Epoch ${epoch} will likely take ${hours.toFixed(2)} h${money}, by ${rests}.`;
  const short = (['hours', 'cost'] as const).flatMap((by) => {
    const [most, next] = [budget[by], by === 'hours' ? hours : forecast.cost];
    if (most === null || next === null || spent[by] + next <= most) return [];
    return [`${(most - spent[by]).toFixed(2)} is left of budget.${by} ${most}: its attempts stop being begun there.`];
  });
  if (short.length === 0) ports.log.info(said);
  else ports.log.warn([said, ...short].join(' '));
}
