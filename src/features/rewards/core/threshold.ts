/** An attempt as a reward judged it. */
export interface Scored {
  success: boolean;
  reward: number;
}

/**
 * The reward from which on attempts are successes, as far as their verdicts show it: the cut that puts the fewest on its
 * wrong side, in the middle between the rewards around it; of equally good cuts the widest gap. Null where all are
 * successes, or none is.
 */
export function successThreshold(all: readonly Scored[]): number | null {
  const rewards = Map.groupBy(all, ({ reward }) => reward);
  const levels = [...rewards.keys()].sort((a, b) => a - b);
  const solved = all.filter(({ success }) => success).length;
  if (solved === 0 || solved === all.length) return null;
  let best: { wrong: number; gap: number; at: number } | null = null;
  // Below the cut successes are wrong, above it failures.
  let wrong = all.length - solved;
  for (const [index, level] of levels.entries()) {
    for (const { success } of rewards.get(level) ?? []) wrong += success ? 1 : -1;
    const next = levels[index + 1];
    if (next === undefined) break;
    const gap = next - level;
    if (best === null || wrong < best.wrong || (wrong === best.wrong && gap > best.gap)) {
      best = { wrong, gap, at: level + gap / 2 };
    }
  }
  return best === null ? null : best.at;
}
