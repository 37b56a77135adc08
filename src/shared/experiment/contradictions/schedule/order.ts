/** An order of attempts that a budget would turn into a choice of them. */
import * as l10n from '@vscode/l10n';
import type { Check } from '../contradiction.ts';

export const orderUnderBudget: Check = ({ budget: { cost, hours }, rollouts: { order } }) => {
  if (order === 'drawn' || (cost === null && hours === null)) return null;
  const budget = cost === null ? 'budget.hours' : 'budget.cost';
  return {
    fields: ['rollouts.order', budget],
    message: l10n.t(
      'Where {0} ends an epoch early, the attempts left out are those expected to be shortest, so its p̂ is that of long tasks.',
      budget,
    ),
    remedy: l10n.t('Set rollouts.order to "drawn", or leave that epoch out of comparisons.'),
    severity: 'warning',
  };
};
