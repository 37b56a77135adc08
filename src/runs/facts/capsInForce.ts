/** The KL caps of a run's environment as they are now, and since when: earlier updates were held to others. */
import type { RunState } from '../../engine/state.ts';
import type { Caps } from '../../shared/report/caps.ts';
import { inForce, ownChanges } from '../journal/experimentNow.ts';
import type { OwnSettings, Settings } from '../journal/lineage.ts';

type Cap = 'updateKlCap' | 'totalKlCap';

export function capsInForce(run: OwnSettings, { changes }: Pick<RunState, 'changes'>): Caps {
  const { updateKlCap, totalKlCap } = inForce(run, { changes }).environment;
  const since = (cap: Cap): number | null => sinceOf([run, ...run.ancestors], changes, cap);
  return {
    update: updateKlCap,
    total: totalKlCap,
    since: { update: since('updateKlCap'), total: since('totalKlCap') },
  };
}

/** The epoch of the last change, by a person or by a branch; null where there was none. */
function sinceOf([run, ...before]: readonly Settings[], changes: RunState['changes'], cap: Cap): number | null {
  if (run === undefined) return null;
  const changed = ownChanges(run, changes).findLast(({ field }) => field === `environment.${cap}`);
  if (changed !== undefined) return changed.epoch;
  const { parent } = run;
  const [from] = before;
  if (parent === null || from === undefined) return null;
  const shared = changes.filter(({ epoch }) => epoch <= parent.epoch);
  const then = inForce(from, { changes: shared }).environment[cap];
  return then === run.experiment.environment[cap] ? sinceOf(before, shared, cap) : parent.epoch + 1;
}
