import type { Domain, Verification } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import { likenessOf, type Likeness } from './duplicates.ts';
import type { HealthRules } from '../contract.ts';

/** Without its plan: that is what the environment was to write, and people need not keep to it. */
export const verify = ({ domain }: Pick<HealthRules, 'domain'>, task: Task): Verification =>
  domain.verify({ ...task, plan: '' });

/** The words that tell a task from others: of its whole prompt, where its domain says nothing else. */
export const wordsOf = (domain: Pick<Domain, 'wording'>, task: Pick<Task, 'prompt' | 'domain'>): string =>
  domain.wording?.(task) ?? task.prompt.map(({ content }) => content).join('\n');

/** What a task is compared by; null for one that its domain cannot read. */
export function likenessIn(
  { domain }: Pick<HealthRules, 'domain'>,
  task: Task,
  verified: Verification = verify({ domain }, task),
): Likeness | null {
  // A wrong gold leaves the question as it is.
  return verified.ok || verified.cause === 'gold' ? likenessOf(wordsOf(domain, task), domain.fingerprint(task)) : null;
}
