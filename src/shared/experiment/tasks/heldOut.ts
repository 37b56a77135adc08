/** Which tasks a domain only measures on, as far as an experiment tells. */
import { limits } from '../limits.ts';
import type { Experiment } from '../schema.ts';
import { hasOwnTasks, programName } from './shippedDomains.ts';

type Domain = Experiment['domain'];

/**
 * The file of a domain's held-out tasks, a domain file that gives its own included. Null where none is named, or where it
 * is not read: the storekeeper holds out tasks of its own unless its base tasks come from a file.
 */
export const heldOutFile = (domain: Domain): string | null =>
  domain.name === 'storekeeper' && domain.seeds === null ? null : (domain.heldOut ?? programName(domain));

/**
 * Whether base tasks come from a file whose tasks need not be the storekeeper's, which have held-out ones of their own.
 * Other modes have such tasks varied, which the storekeeper cannot, and the embedded agent knows its words alone.
 */
export const mayBeOthers = ({ mode, endpoints }: Pick<Experiment, 'mode' | 'endpoints'>, domain: Domain): boolean =>
  domain.name === 'storekeeper' && domain.seeds !== null && mode === 'offline' && endpoints.agent.kind !== 'embedded';

/** How many tasks a domain has to be measured on; Infinity where only its file knows, 0 where it has none. */
export function mostHeldOut(experiment: Pick<Experiment, 'mode' | 'endpoints'>, domain: Domain): number {
  if (heldOutFile(domain) !== null) return Infinity;
  return hasOwnTasks(domain) && !mayBeOthers(experiment, domain) ? limits.tasks(domain.name).validation : 0;
}
