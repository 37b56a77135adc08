import type { Verification } from '../../engine/ports.ts';
import type { Task } from '../../shared/records/task.ts';
import { likenessOf, type Likeness } from './duplicates.ts';
import type { HealthRules } from './health.ts';

/** What a task is compared by; null for one that its domain cannot read. */
export function likenessIn(
  { domain }: Pick<HealthRules, 'domain'>,
  task: Task,
  verified: Verification = domain.verify(task),
): Likeness | null {
  // A wrong gold leaves the question as it is.
  return verified.ok || verified.cause === 'gold' ? likenessOf(task, domain.fingerprint(task)) : null;
}
