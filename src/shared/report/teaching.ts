/** A measure of an epoch's tasks' use for learning (`engine/math/teaching.ts`). */
export interface Teaching {
  /** Number of tasks with at least two judged attempts: only these are informative. */
  tasks: number;
  /** Share of them whose attempts differ in reward, 0…1: GRPO learns from these alone. */
  mixed: number;
  /** Mean of k(n − k)/(n(n − 1)), which is p(1 − p) without bias: 0…½. */
  learnability: number;
  /**
   * Share of the variance of R_env between families that another measurement on tasks of the same families would repeat: two
   * halves of each family's tasks correlated over families, Spearman–Brown. At most 1; about 0 where R_env ranks noise. Null of
   * fewer than eight families with two judged tasks, or where nothing varies.
   */
  reliability: number | null;
}
