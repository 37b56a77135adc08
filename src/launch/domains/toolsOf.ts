import { evaluationKind } from '../../benchmarks/storekeeper/task.ts';
import { menuTools } from '../../benchmarks/storekeeper/tools.ts';
import type { Task, ToolSpec } from '../../shared/records/task.ts';

/** The tools that an attempt at a task may call: those it names, else those that its domain reads from its prompt. */
export function toolsOf({ tools, evaluation, prompt }: Task): readonly ToolSpec[] {
  if (tools !== undefined) return tools;
  return evaluation.kind === evaluationKind ? menuTools(prompt) : [];
}
