import type { Domain, Verification } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import { likenessOf, type Likeness } from './duplicates.ts';
import type { HealthRules } from '../contract.ts';

/** Without its plan, which binds the environment but not a user's edit. */
export const verify = ({ domain }: Pick<HealthRules, 'domain'>, task: Task): Verification =>
  domain.verify({ ...task, plan: '' });

/** The words that distinguish a task: its whole prompt, unless its domain defines others. */
export const wordsOf = (domain: Pick<Domain, 'wording'>, task: Pick<Task, 'prompt' | 'domain'>): string =>
  domain.wording?.(task) ?? task.prompt.map(({ content }) => content).join('\n');

/** The features of a task; null for one that its domain cannot read. */
export function likenessIn(
  { domain }: Pick<HealthRules, 'domain'>,
  task: Task,
  verified: Verification = verify({ domain }, task),
): Likeness | null {
  // A wrong gold does not change the question.
  return verified.ok || verified.cause === 'gold' ? likenessOf(wordsOf(domain, task), domain.fingerprint(task)) : null;
}
