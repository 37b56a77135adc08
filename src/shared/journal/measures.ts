/**
 * Settings that success rates depend on besides policies and tasks. A run keeps them, but a branch may take another reward or
 * other limits than the epochs that it shares: a rate then moves although nothing was learned, so that only rates of one measure
 * are compared. A branch's journal names those it changed, as `settings.changed` (`launch/branchRun.ts`).
 */
/** Limits of an attempt. */
const limits = ['rollouts.maxTokens', 'rollouts.maxSequence', 'rollouts.maxTurns'];

/** Settings by which attempts at the environment's tasks are measured, validations, and benchmarks: these have a judge of their own. */
export const measuredBy = {
  attempts: ['reward.file', ...limits],
  validation: ['reward.file', ...limits, 'validation.temperature', 'validation.rollouts', 'validation.tasks'],
  benchmark: limits,
} as const;

export interface MeasureChange {
  /** The first epoch that is measured so. */
  epoch: number;
  /** Paths of the settings. */
  fields: string[];
}

/** The last of a journal's changes by which something is measured otherwise; null where there is none. */
export function measureChange(
  what: keyof typeof measuredBy,
  changes: readonly { field: string; epoch: number }[],
): MeasureChange | null {
  const fields: readonly string[] = measuredBy[what];
  const own = changes.filter(({ field }) => fields.includes(field));
  const last = own.at(-1);
  if (last === undefined) return null;
  const together = own.filter(({ epoch }) => epoch === last.epoch).map(({ field }) => field);
  return { epoch: last.epoch, fields: [...new Set(together)] };
}
