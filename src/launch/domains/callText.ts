import { evaluationKind, bodyOfPrompt } from '../../benchmarks/storekeeper/task.ts';
import { renderCall } from '../../benchmarks/storekeeper/calls.ts';
import { isItem, isOrdinal, numberOf, ordinals, words } from '../../benchmarks/storekeeper/vocabulary.ts';
import { toolText } from '../../shared/rewards/toolCalls.ts';
import type { Task } from '../../shared/records/task.ts';

/**
 * A call of a tool as the task's agent would write it. @param said the agent's turns so far, the one being written included
 */
export function callText(
  { evaluation, prompt }: Pick<Task, 'evaluation' | 'prompt'>,
  { name, given }: { name: string; given: Readonly<Record<string, unknown>> },
  said: string,
): string {
  const own = evaluation.kind === evaluationKind ? menuCall(prompt, { name, given }, said) : null;
  return own ?? toolText({ name, arguments: JSON.stringify(given) });
}

/** Null for what the menu cannot say. */
function menuCall(
  prompt: Task['prompt'],
  { name, given }: { name: string; given: Readonly<Record<string, unknown>> },
  said: string,
): string | null {
  const entry = bodyOfPrompt(prompt).menu.find((one) => one.name === name);
  const ordinal = ordinals[words(said).filter((word) => isOrdinal(word)).length];
  const item = textOf(given['item']);
  if (entry === undefined || ordinal === undefined || !isItem(item)) return null;
  const value = numberOf(textOf(given['value'])) ?? null;
  return renderCall({ ordinal, concept: entry.concept, name: entry.name, item, value });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
