/** Group-relative advantages (GRPO). G: attempts of one task. */

/** verl's ε beside the group's standard deviation. */
const epsilon = 1e-6;

/**
 * Advantage of each of G attempts: reward minus the group's mean, for `group-std` divided by the group's standard
 * deviation (sample form, n − 1, as verl and TRL compute it) plus 1e-6.
 */
export function groupAdvantages(rewardsG: readonly number[], norm: 'none' | 'group-std'): number[] {
  const mean = rewardsG.reduce((sum, reward) => sum + reward, 0) / rewardsG.length;
  const centred = rewardsG.map((reward) => reward - mean);
  if (norm === 'none') return centred;
  const variance = centred.reduce((sum, d) => sum + d * d, 0) / Math.max(1, rewardsG.length - 1);
  const scale = Math.sqrt(variance) + epsilon;
  return centred.map((d) => d / scale);
}

/** Groups whose rewards are all equal teach nothing; which of the two kinds they are is counted. */
export function groupKind(group: readonly { reward: number; success: boolean }[]): 'solved' | 'hopeless' | 'trained' {
  if (group.some(({ reward }) => reward !== group[0]?.reward)) return 'trained';
  return group.every(({ success }) => success) ? 'solved' : 'hopeless';
}
