/** The order of an epoch's texts: the one they were requested in, whenever each of them was answered. */
import type { Task } from '../../shared/records/task.ts';

/** Task id of one try at one variation; the first try carries no suffix. */
export const taskId = (family: string, variation: number, attempt: number): string =>
  `${family}.v${variation}${attempt === 1 ? '' : `.a${attempt}`}`;

const written = /\.f(\d+)\.v(\d+)(?:\.a(\d+))?$/;

/**
 * Records of texts, by try, family and variation. What is drawn from an epoch's tasks, and the order of its batch, do not
 * depend on which server answered first; records of anything else come before them.
 */
export function inTextOrder(tasks: readonly Task[]): Task[] {
  const keyed = tasks.map((task) => ({ task, key: keyOf(task.id) }));
  return keyed.sort((a, b) => compared(a.key, b.key)).map(({ task }) => task);
}

/** The try at which a text was written, from 1; 0 for what is no text. */
export const tryOf = (id: string): number => keyOf(id)[0];

type Key = readonly [attempt: number, family: number, variation: number];

function keyOf(id: string): Key {
  const [, family, variation, attempt = '1'] = written.exec(id) ?? [];
  return family === undefined ? [0, 0, 0] : [Number(attempt), Number(family), Number(variation)];
}

const compared = (a: Key, b: Key): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
