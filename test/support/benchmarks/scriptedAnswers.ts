/** An endpoint's answers to the tasks of a benchmark, found by their prompts: the official answers, or others. */
import type { LocalDomain } from '../../../src/engine/ports.ts';
import type { Task } from '../../../src/shared/records/task.ts';
import type { Body } from '../openai/bodies.ts';

/** The turns of an attempt. */
export type TurnsOf = (task: Task) => readonly string[];

/** By the prompt and the number of turns before; an empty answer to what is not known. */
export function scripted(tasks: readonly Task[], domain: LocalDomain, turnsOf: TurnsOf): (body: Body) => string {
  const turns = new Map(
    tasks.map((task) => {
      const opening = domain.environment(task)?.reset(task).messages ?? [];
      return [keyOf([...domain.agentPrompt(task), ...opening]), turnsOf(task)] as const;
    }),
  );
  return ({ messages = [] }) => {
    const first = messages.findIndex(({ role }) => role === 'assistant');
    const begun = first === -1 ? messages : messages.slice(0, first);
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    return turns.get(keyOf(begun))?.[turn] ?? '';
  };
}

const keyOf = (messages: readonly { content?: string | null | undefined }[]): string =>
  JSON.stringify(messages.map(({ content }) => content));
