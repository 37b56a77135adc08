/** An order of attempts that a budget would turn into a choice of them. */
import type { Check } from '../contradiction.ts';

export const orderUnderBudget: Check = ({ budget: { cost, hours }, rollouts: { order } }) => {
  if (order === 'drawn' || (cost === null && hours === null)) return null;
  const budget = cost === null ? 'budget.hours' : 'budget.cost';
  return {
    fields: ['rollouts.order', budget],
    message: `Where ${budget} ends an epoch early, the attempts left out are those expected to be shortest, so its p̂ is that of long tasks.`,
    remedy: 'Set rollouts.order to "drawn", or leave that epoch out of comparisons.',
    severity: 'warning',
  };
};
