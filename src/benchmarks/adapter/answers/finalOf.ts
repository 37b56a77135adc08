import { answerSchema } from '../../../shared/adapters/answer.ts';
import type { Task } from '../../../shared/records/task.ts';
import { parseAnswer } from './parseAnswer.ts';

/** The answer in an agent's last message, read as the task says; `said` where it says nothing of it. Null where there is none. */
export function finalOf(last: string, task: Pick<Task, 'evaluation'> | undefined, said = last): string | null {
  const spec = answerSchema.safeParse(task?.evaluation['answer']);
  if (!spec.success) return said;
  const parsed = parseAnswer(last, spec.data);
  if (!parsed.ok) return null;
  return typeof parsed.value === 'string' ? parsed.value : JSON.stringify(parsed.value);
}
