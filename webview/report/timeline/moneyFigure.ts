/** Money by phase. */
import { fixed } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { element } from '../../lib/element.ts';
import type { Context } from '../context.ts';
import { scrollable, table } from '../figure.ts';

/** Null where nothing has a price, or nothing was spent. */
export function moneyFigure({ data: { money } }: Context): HTMLElement | null {
  const [most] = money?.shares ?? [];
  if (money === undefined || most === undefined) return null;
  const title = 'Money by phase';
  const reading = `${fixed(money.spent, 2)} in all, in the currency of the endpoints’ prices; most went into ${most.phase} (${percent(most.share)}).`;
  const rows = money.shares.map(({ phase, share }) => [phase, fixed(share * money.spent, 2), percent(share)]);
  return element(
    'figure',
    { id: 'money', 'aria-labelledby': 'money-title' },
    element('figcaption', {}, element('h3', { id: 'money-title' }, title), element('p', { class: 'reading' }, reading)),
    scrollable(title, table({ columns: ['Phase', 'Spent', 'Share'], rows: () => rows })),
  );
}
