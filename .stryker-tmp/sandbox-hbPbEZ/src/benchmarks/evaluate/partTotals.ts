/** Totals that a benchmark's authors make of parts of attempts: of constraints, of words. */
import type { Outcome } from './outcome.ts';
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

const commonsenseConstraints = 8;

/** The six official rates, and the mean of the four that the paper reports. Over a whole split they are the official ones. */
function travelplanner(outcomes: readonly Outcome[]): PartTotals {
  const attempts = sum(outcomes, ({ attempts: n }) => n);
  const part = (name: string): number => sum(outcomes, ({ parts }) => parts[name] ?? 0);
  const share = (count: number, of: number): number | null => (of === 0 ? null : count / of);
  const commonsense = {
    micro: share(part('commonsenseKept'), commonsenseConstraints * attempts),
    macro: share(part('commonsenseAll'), attempts),
  };
  const hard = { micro: share(part('hardKept'), part('hardSet')), macro: share(part('hardAll'), attempts) };
  const four = [commonsense.micro, commonsense.macro, hard.micro, hard.macro].filter((one) => one !== null);
  const final = sum(outcomes, ({ successes }) => successes);
  return {
    totals: [
      total('Delivery Rate', share(part('delivered'), attempts)),
      total('Commonsense Constraint Micro Pass Rate', commonsense.micro),
      total('Commonsense Constraint Macro Pass Rate', commonsense.macro),
      total('Hard Constraint Micro Pass Rate', hard.micro),
      total('Hard Constraint Macro Pass Rate', hard.macro),
      total('Final Pass Rate', share(final, attempts)),
      total(
        'mean of the four constraint rates (the paper’s figure)',
        four.length < 4 ? null : four.reduce((a, b) => a + b, 0) / 4,
      ),
    ],
    used: ['delivered', 'commonsenseKept', 'commonsenseAll', 'hardKept', 'hardSet', 'hardAll'],
  };
}

/** By level: right calls, and the mean ROUGE-L of responses. */
function apiBank(outcomes: readonly Outcome[]): PartTotals {
  const mean = (category: string, of: (outcome: Outcome) => number): Pick<Total, 'value' | 'missing'> => {
    const own = outcomes.filter((outcome) => outcome.category === category);
    const attempts = sum(own, ({ attempts: n }) => n);
    return attempts === 0 ? { value: null, missing: [category] } : { value: sum(own, of) / attempts, missing: [] };
  };
  const totals = ['level-1', 'level-2'].flatMap((level) => [
    { name: `accuracy of calls, ${level}`, ...mean(level, ({ successes }) => successes) },
    { name: `ROUGE-L of responses, ${level}`, ...mean(`${level}-responses`, ({ parts }) => parts['rougeL'] ?? 0) },
  ]);
  return { totals, used: ['rougeL'] };
}

const total = (name: string, value: number | null): Total => ({ name, value, missing: [] });

const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number =>
  outcomes.reduce((all, outcome) => all + of(outcome), 0);
