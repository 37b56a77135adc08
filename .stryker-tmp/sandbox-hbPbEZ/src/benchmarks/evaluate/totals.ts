/** Totals over categories as a benchmark's authors compute them. */

/** A category's rate: right/all. */
export interface CategoryRate {
  category: string;
  tasks: number;
  /** 0…1. */
  rate: number;
}

export interface Total {
  name: string;
  /** 0…1; null where a category that it needs was not run. */
  value: number | null;
  /** Categories that it is made of and that were not run. */
  missing: readonly string[];
}

interface Recipe {
  name: string;
  /** Each category, or several whose mean stands for one. */
  of: readonly (readonly string[])[];
  /** By how many records each has, instead of all alike. */
  weighted: boolean;
}

/** BFCL v4: simple is the mean of its three languages, live weighs by records, the others are plain means. */
const bfcl: readonly Recipe[] = [
  {
    name: 'non-live',
    of: [['simple_python', 'simple_java', 'simple_javascript'], ['multiple'], ['parallel'], ['parallel_multiple']],
    weighted: false,
  },
  {
    name: 'live',
    of: [['live_simple'], ['live_multiple'], ['live_parallel'], ['live_parallel_multiple']],
    weighted: true,
  },
];

/** Relevance stands in the table alone: v4 has it in no total. */
const bfclRelevance: readonly Recipe[] = [
  { name: 'irrelevance', of: [['irrelevance'], ['live_irrelevance']], weighted: false },
];

const recipes: Readonly<Record<string, readonly Recipe[]>> = { bfcl, 'bfcl-relevance': bfclRelevance };

/** None for a rule whose authors give only right/all. @param rule the scorer's name */
export function totalsOf(rule: string, rates: readonly CategoryRate[]): Total[] {
  const known = new Map(rates.map((one) => [one.category, one]));
  const own = Object.hasOwn(recipes, rule) ? (recipes[rule] ?? []) : [];
  return own.map(({ name, of, weighted }) => {
    const missing = of.flat().filter((category) => !known.has(category));
    if (missing.length > 0) return { name, value: null, missing };
    let sum = 0;
    let weight = 0;
    for (const group of of) {
      const there = group.flatMap((category) => known.get(category) ?? []);
      const mean = there.reduce((total, { rate }) => total + rate, 0) / there.length;
      const share = weighted ? there.reduce((total, { tasks }) => total + tasks, 0) : 1;
      sum += share * mean;
      weight += share;
    }
    return { name, value: sum / weight, missing };
  });
}
