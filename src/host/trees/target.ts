/** A place in the Runs tree: the target of a click in a chart, and the argument of a command on a tree node. */
import * as z from 'zod';

export const runTargetSchema = z.object({
  /** Absolute path of the run's folder. */
  run: z.string(),
  epoch: z.int().optional(),
  family: z.string().optional(),
  task: z.string().optional(),
  trace: z.string().optional(),
});
export type RunTarget = z.infer<typeof runTargetSchema>;

/** Which families of a run the tree shows. */
export interface FamilyFilter {
  /** First and last epoch. */
  epochs?: readonly [number, number];
  /** p̂ from and to, both included. */
  successRate?: readonly [number, number];
  band?: 'too hard' | 'in band' | 'too easy';
  /** Part of a family's id or plan. */
  text?: string;
}

/** The Runs tree's functions for panels. */
export interface RunsTree {
  /** Opens the view and selects the node. */
  reveal(target: RunTarget): Promise<void>;
  /** Shows only these families of one run, and says so above the tree. */
  filter(run: string, filter: FamilyFilter): Promise<void>;
}
