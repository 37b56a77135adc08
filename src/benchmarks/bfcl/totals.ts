/** The leaderboard's summary of accuracies by category. */
import { outOfRange } from '../../shared/outOfRange.ts';

export interface CategoryScore {
  right: number;
  records: number;
}

export interface Total {
  /** From 0 to 1; categories that were not run count as 0. */
  accuracy: number;
  /** Whether every category in it was run: the leaderboard shows N/A otherwise. */
  isComplete: boolean;
}

/** v4 has agentic tasks; v3 is what ToolRL's line of work reports. */
export type Version = 'v3' | 'v4';

/** Records of the categories that are weighed by them, for when they were not run. */
const sizes: Readonly<Record<string, number>> = {
  live_simple: 258,
  live_multiple: 1053,
  live_parallel: 16,
  live_parallel_multiple: 24,
  live_irrelevance: 884,
  live_relevance: 16,
};

/** Totals by name, `overall` the last. @param scores by category; those that are missing were not run */
export function totals(scores: ReadonlyMap<string, CategoryScore>, version: Version): Record<string, Total> {
  const of = (category: string): Total => {
    const score = scores.get(category);
    if (score === undefined || score.records === 0) return { accuracy: 0, isComplete: false };
    return { accuracy: score.right / score.records, isComplete: true };
  };
  const all = (...categories: string[]): Total[] => categories.map(of);
  const byRecords = (...categories: string[]): Total =>
    mean(
      all(...categories),
      categories.map((category) => scores.get(category)?.records ?? sizes[category] ?? 0),
    );
  const simple = mean(all('simple_python', 'simple_java', 'simple_javascript'));
  const calls = [simple, ...all('multiple', 'parallel', 'parallel_multiple')];
  const live = ['live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple'];
  const multiTurn = mean(
    all('multi_turn_base', 'multi_turn_miss_func', 'multi_turn_miss_param', 'multi_turn_long_context'),
  );
  if (version === 'v3') {
    const nonLive = mean([...calls, of('irrelevance')]);
    const liveTotal = byRecords(...live, 'live_irrelevance', 'live_relevance');
    return { simple, nonLive, live: liveTotal, multiTurn, overall: mean([nonLive, liveTotal, multiTurn]) };
  }
  const nonLive = mean(calls);
  const liveTotal = byRecords(...live);
  const irrelevance = mean(all('irrelevance', 'live_irrelevance'));
  const agentic = mean([
    mean(all('web_search_base', 'web_search_no_snippet')),
    mean(all('memory_kv', 'memory_vector', 'memory_rec_sum')),
  ]);
  const overall = mean([nonLive, liveTotal, irrelevance, multiTurn, agentic], [10, 10, 10, 30, 40]);
  return { simple, nonLive, live: liveTotal, irrelevance, multiTurn, agentic, overall };
}

/** @param weights in the order of the totals; equal ones when absent */
function mean(of: readonly Total[], weights: readonly number[] = of.map(() => 1)): Total {
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const accuracy = of.reduce((sum, total, at) => sum + total.accuracy * (weights[at] ?? outOfRange()), 0) / weight;
  return { accuracy, isComplete: of.every(({ isComplete }) => isComplete) };
}
