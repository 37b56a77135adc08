export const guards = [
  'environment-skipped',
  'all-solved',
  'none-solved',
  'nothing-learnable',
  'kl-cap',
  'parse-rate',
  'duplicates',
  'disagreements',
  'collapse',
  'held-out',
] as const;

export type Guard = (typeof guards)[number];

export interface GuardFinding {
  guard: Guard;
  /** First epoch of which it holds. */
  since: number;
  /** What is going on, and what to do: full sentences. */
  message: string;
  remedy: string;
  /** The setting to look at first. */
  field: string;
}
