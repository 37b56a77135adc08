/** Lines of the checklist. */
import { isError } from '../../../shared/experiment/problems/problem.ts';
import type { Check, CheckId, Finding } from '../contract.ts';

/** Has begun. */
export const running = (id: CheckId): Check => ({ id, state: 'running', message: '', findings: [] });

/** Could not be made, and why. */
export const skipped = (id: CheckId, message: string): Check => ({ id, state: 'skipped', message, findings: [] });

/** Failed with an error among the findings, warned with another, else passed. */
export function done(id: CheckId, message: string, findings: readonly Finding[]): Check {
  const state = findings.some(isError) ? 'failed' : findings.length > 0 ? 'warned' : 'passed';
  return { id, state, message, findings: [...findings] };
}
