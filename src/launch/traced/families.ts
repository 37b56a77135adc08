/** Task families of phases that are under way: when their calls began and ended, and how many attempts they have. */
import type { Trace } from '../../shared/records/trace.ts';
import type { Times } from './watchedPorts.ts';

interface Place {
  epoch: number;
  phase: string;
  round: number;
  family: string;
}

interface Tally {
  /** Null where an earlier process has seen all of it. */
  times: Times | null;
  attempts: number;
  successes: number;
}

export class Families {
  readonly #phases = new Map<string, Map<string, Tally>>();
  /** Attempts that are counted: a resumed phase reads its records more than once. */
  readonly #recalled = new Set<string>();

  /** @param success of an attempt; absent for another call */
  add(place: Place, { start, end }: Times, success?: boolean): void {
    const tally = this.#tally(place);
    const { times } = tally;
    tally.times =
      times === null ? { start, end } : { start: Math.min(times.start, start), end: Math.max(times.end, end) };
    if (success === undefined) return;
    tally.attempts += 1;
    if (success) tally.successes += 1;
  }

  recall(place: Place, { id, verdict }: Pick<Trace, 'id' | 'verdict'>): void {
    if (this.#recalled.has(id)) return;
    this.#recalled.add(id);
    const tally = this.#tally(place);
    tally.attempts += 1;
    if (verdict.success) tally.successes += 1;
  }

  take(epoch: number, phase: string, round: number): ReadonlyMap<string, Tally> {
    const key = keyOf({ epoch, phase, round });
    const families = this.#phases.get(key) ?? new Map<string, Tally>();
    this.#phases.delete(key);
    return families;
  }

  /** An epoch is over. */
  forget(epoch: number): void {
    for (const key of this.#phases.keys()) if (key.startsWith(`${epoch} `)) this.#phases.delete(key);
    this.#recalled.clear();
  }

  #tally(place: Place): Tally {
    const key = keyOf(place);
    const families = this.#phases.get(key) ?? new Map<string, Tally>();
    this.#phases.set(key, families);
    const tally = families.get(place.family) ?? { times: null, attempts: 0, successes: 0 };
    families.set(place.family, tally);
    return tally;
  }
}

const keyOf = ({ epoch, phase, round }: Omit<Place, 'family'>): string => `${epoch} ${phase} ${round}`;
