/** How many runs may ask one address at once. */
import { embedded } from '../../../shared/experiment/endpoints/origins.ts';
import type { Limits } from './plan.ts';

/** @param given by origin or `embedded` @param cores of this machine @param atOnce in all; null: no limit */
export function limitsOf(given: ReadonlyMap<string, number>, cores: number, atOnce: number | null): Limits {
  // Each of them keeps two threads busy: one an embedded policy.
  const ofMachine = Math.max(1, Math.floor(cores / 2));
  return {
    atOnce: atOnce ?? Infinity,
    of: (address) => given.get(address) ?? (address === embedded ? ofMachine : 1),
  };
}
