/** Types of a curriculum: `export function rewards(families: Family[], epoch: Epoch): Rewards | Promise<Rewards>`. */

/** One attempt of the agent at a task. */
export interface Attempt {
  /** Null where the attempt was not judged. */
  success: boolean | null;
  /** 0 to 1; null where the attempt was not judged. */
  reward: number | null;
  /** The reward's named parts, where it has them. */
  parts?: Record<string, number> | undefined;
  /** The last assistant turn's text, '' without one. */
  answer: string;
  /** `length`: cut at its most tokens; `turns`: at its most turns. */
  stopReason: 'stop' | 'length' | 'turns';
}

/** A task with its attempts. */
export interface Task {
  id: string;
  family: string;
  epoch: number;
  /** The agent's prompt. */
  prompt: { role: 'system' | 'user' | 'assistant' | 'tool'; content: string; name?: string | undefined }[];
  tools?: { name: string; description: string; parameters: Record<string, unknown> }[] | undefined;
  evaluation: { kind: string; [more: string]: unknown };
  /** The right answer, where one is known. */
  gold: string | null;
  /** Id of the task that it varies. */
  seed: string | null;
  plan: string;
  /** Named measures of how hard it is, of its domain. */
  difficulty: Record<string, number>;
  attempts: Attempt[];
}

/** Tasks that were written from one seed in one epoch. */
export interface Family {
  id: string;
  seed: string | null;
  plan: string;
  /** Of the judged attempts at all its tasks. */
  successes: number;
  judged: number;
  tasks: Task[];
}

export interface Epoch {
  /** From 1. */
  epoch: number;
  /** α, β and k_min of the experiment. */
  alpha: number;
  beta: number;
  kMin: number;
  /** The run's: draw chance from it and the epoch alone, so that a resumed run goes the same way. */
  seed: number;
}

/**
 * R_env, one a family in their order: a number from −10 to 10 for all its tasks, a list with one a task, or null where the
 * environment is to learn nothing.
 */
export type Rewards = (number | null | (number | null)[])[];

export type Curriculum = (families: Family[], epoch: Epoch) => Rewards | Promise<Rewards>;
