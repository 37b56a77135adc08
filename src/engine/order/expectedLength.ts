/**
 * The order in which attempts begin (`rollouts.order`): the longest expected first, so that no long one begins when all
 * others have ended. Random streams are named by task and attempt, so the order changes none of their answers.
 */
import type { Task } from '../../shared/records/task.ts';
import { mean, type Loop } from '../loop.ts';
import { epochsLookedBack, rootOf } from './answerLengths.ts';

/** Tokens that an answer to a task is expected to have. */
export type ExpectedLength = (task: Task) => number;

/**
 * By the newest answers to tasks of the same base task; those of others as long as the mean. Before any answer is known,
 * the longest prompt counts as the longest answer. Undefined where attempts begin in the order in which they were drawn.
 */
export function expectedLength(
  { experiment, state }: { experiment: Pick<Loop['experiment'], 'rollouts'>; state: Pick<Loop['state'], 'lengths'> },
  epoch: number,
): ExpectedLength | undefined {
  if (experiment.rollouts.order === 'drawn') return undefined;
  const known = knownLength(state, epoch);
  return (task) => known(task) ?? promptLength(task);
}

/** By answers alone; undefined before any is known. */
export function knownLength(state: Pick<Loop['state'], 'lengths'>, epoch: number): (task: Task) => number | undefined {
  const known = [...state.lengths].filter(([at]) => at >= epoch - epochsLookedBack).sort(([a], [b]) => b - a);
  const newest = known.map(([, lengths]) => lengths);
  const usual = mean(newest.flatMap((lengths) => [...lengths.values()]));
  return (task) => {
    const root = rootOf(task);
    const own = newest.find((lengths) => lengths.has(root))?.get(root);
    return own ?? usual ?? undefined;
  };
}

/**
 * Tokens of a text and of the longest attempt that waits for it, by its seed: a text that begins late holds up its
 * attempts, so it goes before attempts that are as long. A text counts as long as those of the newest epoch.
 */
export function expectedChain(
  loop: Parameters<typeof expectedLength>[0] & { state: Pick<Loop['state'], 'summaries'> },
  epoch: number,
): ExpectedLength | undefined {
  const expected = expectedLength(loop, epoch);
  if (expected === undefined) return undefined;
  const text = loop.state.summaries.at(-1)?.taskLength ?? null;
  return (seed) => expected(seed) + (text ?? expected(seed));
}

/** The longest expected first; of equals the one with the longest prompt, then as they were. */
export function longestFirst(tasks: readonly Task[], expected: ExpectedLength | undefined): readonly Task[] {
  if (expected === undefined) return tasks;
  return tasks
    .map((task) => ({ task, tokens: expected(task), prompt: promptLength(task) }))
    .sort((a, b) => b.tokens - a.tokens || b.prompt - a.prompt)
    .map(({ task }) => task);
}

/** Characters. */
const promptLength = ({ prompt }: Task): number => prompt.reduce((sum, { content }) => sum + content.length, 0);
