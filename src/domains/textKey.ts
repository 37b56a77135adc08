import type { Task } from '../shared/records/task.ts';

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** Equal for tasks with equal wording, ignoring spaces and case. */
export const textKey = (prompt: Task['prompt'], evaluation: Task['evaluation']): string =>
  JSON.stringify([prompt.map(({ role, content }) => [role, plain(content)]), evaluation]);
