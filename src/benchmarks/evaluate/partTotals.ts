/** Totals that a benchmark's authors make of parts of attempts: of constraints, of words. */
import * as l10n from '@vscode/l10n';
import type { Outcome } from './outcome.ts';
import { planRates } from './planRates.ts';
import type { Total } from './totals.ts';

export interface PartTotals {
  totals: readonly Total[];
  /** Parts that say nothing beside these totals. */
  used: readonly string[];
}

const recipes: Readonly<Record<string, (outcomes: readonly Outcome[]) => PartTotals>> = {
  travelplanner,
  'api-bank': apiBank,
};

/** None for most. @param rule the scorer's name */
export const partTotals = (rule: string, outcomes: readonly Outcome[]): PartTotals =>
  Object.hasOwn(recipes, rule) && recipes[rule] !== undefined ? recipes[rule](outcomes) : { totals: [], used: [] };

/** The six official rates, and the mean of the four that the paper reports. Over a whole split they are the official ones. */
function travelplanner(outcomes: readonly Outcome[]): PartTotals {
  const rates = planRates(outcomes).map(({ name, count, of }) => ({ name, value: of === 0 ? null : count / of }));
  const four = rates.flatMap(({ name, value }) => (value !== null && name.includes('Constraint') ? [value] : []));
  return {
    totals: [
      ...rates.map(({ name, value }) => ({ name, value, missing: [] })),
      {
        name: l10n.t('mean of the four constraint rates (the paper’s figure)'),
        value: four.length < 4 ? null : four.reduce((a, b) => a + b, 0) / 4,
        missing: [],
      },
    ],
    used: ['delivered', 'commonsenseKept', 'commonsenseAll', 'hardKept', 'hardSet', 'hardAll'],
  };
}

/** By level: right calls, and the mean ROUGE-L of responses. */
function apiBank(outcomes: readonly Outcome[]): PartTotals {
  const mean = (category: string, of: (outcome: Outcome) => number): Pick<Total, 'value' | 'missing'> => {
    const own = outcomes.filter((outcome) => outcome.category === category);
    const asked = sum(own, (outcome) => outcome.asked);
    return asked === 0 ? { value: null, missing: [category] } : { value: sum(own, of) / asked, missing: [] };
  };
  const totals = ['level-1', 'level-2'].flatMap((level) => [
    { name: l10n.t('accuracy of calls, {0}', level), ...mean(level, ({ successes }) => successes) },
    {
      name: l10n.t('ROUGE-L of responses, {0}', level),
      ...mean(`${level}-responses`, ({ parts }) => parts['rougeL'] ?? 0),
    },
  ]);
  return { totals, used: ['rougeL'] };
}

const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number =>
  outcomes.reduce((all, outcome) => all + of(outcome), 0);
