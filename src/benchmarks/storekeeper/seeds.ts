import { Rng } from '../../engine/random.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Body } from './body.ts';
import { randomBody, type BodySpec } from './randomBody.ts';
import { authoredTask, fingerprintOf, type Cue } from './task.ts';

/** Largest sets on offer (paper A.3: 544 base samples). */
export const maxBaseTasks = 544;
export const maxValidationTasks = 400;

/** Chance that a value of a base or validation task is worded as an expression. */
export const expressionShare = 0.3;

/** Of 100 base tasks, how many have 1, 2, … 8 steps: mostly short, a few as long as validation's longest. */
const baseSteps = [25, 23, 18, 13, 9, 6, 3, 3];
const validationSteps = 8;

/** An index, each with a chance in proportion to its weight. */
export function weighted(rng: Rng, weights: readonly number[]): number {
  let left = rng.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return i;
  }
  return weights.length - 1;
}

/** Menu and fillers of a human-authored task of so many steps. */
function authoredSpec(rng: Rng, steps: number): BodySpec {
  const menu = Math.min(6, Math.min(steps, 3) + rng.int(4));
  return { steps, menu, fillers: weighted(rng, [55, 25, 12, 8]), expressions: expressionShare };
}

function distinct(count: number, draw: (i: number) => Body, taken: Set<string>, make: (body: Body, i: number) => Task) {
  const tasks: Task[] = [];
  for (let i = 0; tasks.length < count; i++) {
    const task = make(draw(i), tasks.length);
    const key = fingerprintOf(task.prompt);
    if (taken.has(key)) continue;
    taken.add(key);
    tasks.push(task);
  }
  return tasks;
}

export interface Seeds {
  base: readonly Task[];
  validation: readonly Task[];
}

/**
 * The human-authored tasks that a seed names. Base: 1 … 8 steps, mostly short. Validation: 1 … 8 steps in equal
 * numbers, none of them a base task of the same seed, however few base tasks are asked for.
 * @throws RangeError when more tasks are asked for than there are
 */
export function authoredSeeds(options: { seed: number; base: number; validation: number; cue: Cue }): Seeds {
  const { seed, base, validation, cue } = options;
  if (base > maxBaseTasks || validation > maxValidationTasks) {
    throw new RangeError(
      `the storekeeper domain has ${maxBaseTasks} base and ${maxValidationTasks} validation tasks; ` +
        `${base} and ${validation} were asked for`,
    );
  }
  const taken = new Set<string>();
  const baseTasks = distinct(
    maxBaseTasks,
    (i) => {
      const rng = Rng.from('storekeeper', 'base', seed, i);
      return randomBody(rng, authoredSpec(rng, 1 + weighted(rng, baseSteps)));
    },
    taken,
    (body, i) => authoredTask(body, `base.${i}`, 'base', cue),
  );
  const validationTasks = distinct(
    validation,
    (i) => {
      const rng = Rng.from('storekeeper', 'validation', seed, i);
      return randomBody(rng, authoredSpec(rng, 1 + (i % validationSteps)));
    },
    taken,
    (body, i) => authoredTask(body, `validation.${i}`, 'validation', cue),
  );
  return { base: baseTasks.slice(0, base), validation: validationTasks };
}
