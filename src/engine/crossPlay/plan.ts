/** Which versions a check compares, and on which tasks. Pure: a function of the checks before it and of the budget. */
import type { Task } from '../../shared/records/task.ts';
import type { Rng } from '../random.ts';

/** Earlier checks that a check looks back at. */
const mostAnchors = 6;
/** Fewer tasks say too little of a cell: then fewer versions are compared. */
const fewestTasks = 8;

/**
 * Earlier checks that later ones are compared with: every s-th, with the least power of two s that leaves six. The anchors
 * of a later check are among those of an earlier one, so that their checkpoints are kept and no others.
 * @param checks epochs of all checks so far, oldest first
 */
export function anchorsOf(checks: readonly number[]): number[] {
  let stride = 1;
  while (Math.ceil(checks.length / stride) > mostAnchors) stride *= 2;
  return checks.filter((_, i) => i % stride === 0);
}

export interface CheckPlan {
  /** Epochs whose tasks today's agent attempts; the last is today's. */
  rows: number[];
  /** Ends of epochs whose agents attempt today's tasks; 0 is the start. */
  agents: number[];
  /** Tasks of a cell. */
  tasks: number;
}

/** @param budget `crossPlay.rollouts` */
export function planCheck(epoch: number, checks: readonly number[], budget: number): CheckPlan {
  let anchors = anchorsOf(checks);
  const planned = (): CheckPlan => {
    const rows = [...new Set([1, ...anchors, epoch])];
    const agents = [0, ...anchors];
    return { rows, agents, tasks: Math.floor(budget / (rows.length + agents.length)) };
  };
  let plan = planned();
  while (plan.tasks < fewestTasks && anchors.length > 0) {
    anchors = anchors.filter((_, i) => anchors.length > 1 && i % 2 === 0);
    plan = planned();
  }
  return plan;
}

/** Tasks in an order of which every beginning holds as many families as it can: tasks of a family succeed together. */
export function spreadOverFamilies(tasks: readonly Task[], rng: Rng): Task[] {
  const families = [...Map.groupBy(rng.shuffle(tasks), ({ family }) => family).values()];
  const most = families.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Array.from({ length: most }, (_, i) => families.flatMap((family) => family[i] ?? [])).flat();
}
