/** The work of every loop. */
export interface Sizes {
  /** Attempts at a task. */
  group: number;
  /** Tasks of a step. */
  groups: number;
  steps: number;
  /** Of the server. */
  slots: number;
}
