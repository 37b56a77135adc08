import type { TaskDraft, ToolSpec } from '../../shared/records/task.ts';
import { TaskFault } from '../taskFault.ts';
import { bodyOfPrompt } from './task.ts';
import { items, maxNumber, takesValue, verbsOf, type Concept } from './vocabulary.ts';

const does: Record<Concept, string> = {
  increase: 'Adds to the stock of an item.',
  decrease: 'Takes from the stock of an item; an error where less is left.',
  set: 'Sets the stock of an item.',
  get: 'Tells the stock of an item.',
  clear: 'Empties the stock of an item.',
  double: 'Doubles the stock of an item.',
};

/** The functions on a task's menu as tools: a call is `ordinal concept function item [value]`. None where it has no menu. */
export function menuTools(prompt: TaskDraft['prompt']): ToolSpec[] {
  try {
    return bodyOfPrompt(prompt).menu.map(({ concept, name }) => ({
      name,
      description: `${concept} (${verbsOf[concept].join(', ')}). ${does[concept]}`,
      parameters: parametersOf(concept),
    }));
  } catch (error) {
    if (error instanceof TaskFault) return [];
    throw error;
  }
}

function parametersOf(concept: Concept): Record<string, unknown> {
  const item = { type: 'string', enum: items };
  if (!takesValue(concept)) return { type: 'object', properties: { item }, required: ['item'] };
  const value = { type: 'integer', minimum: 0, maximum: maxNumber };
  return { type: 'object', properties: { item, value }, required: ['item', 'value'] };
}
