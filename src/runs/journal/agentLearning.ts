/** Which attempts the agent's updates learned from, by a run's journal. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import { countedIn } from '../../shared/journal/counted.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { Manifest } from '../store/manifest.ts';
import { epochSettings } from './epochSettings.ts';

/** How the update that an attempt counts in treats it. */
export interface Learning {
  /** Settings of that update. */
  experiment: Pick<Experiment, 'agent' | 'rollouts'>;
  /**
   * Why it did not learn from the attempt; null where it did.
   * - `imported`: the run was. `frozen`: the run does not train its agent (`agent.train`).
   * - `fell out`: enough other groups were complete before this one (`rollouts.spare`).
   * - `not updated`: the update has not ended. `skipped`: no group taught anything.
   */
  why: 'imported' | 'frozen' | 'fell out' | 'not updated' | 'skipped' | null;
}

interface Run {
  dir: string;
  manifest: Pick<Manifest, 'parent' | 'ancestors' | 'experiment' | 'imported'>;
  events(): AsyncIterable<JournalEvent> | Iterable<JournalEvent>;
}

type Attempt = Pick<Trace, 'task' | 'epoch' | 'version'>;

/**
 * By the journal as it is now. It is asked about the run's own training attempts alone.
 * @throws RunError; the result throws RunError `format` where a change of settings does not fit
 */
export async function agentLearning(run: Run): Promise<(attempt: Attempt) => Learning> {
  const settings = await epochSettings(run);
  const updates = new AgentUpdates();
  for await (const event of run.events()) updates.add(event);
  return (attempt) => {
    const experiment = settings(updates.countedIn(attempt));
    const { imported } = run.manifest;
    const without = imported === null ? null : 'imported';
    return { experiment, why: without ?? (experiment.agent.train ? updates.whyNone(attempt) : 'frozen') };
  };
}

class AgentUpdates {
  readonly #late = new Map<number, readonly string[]>();
  readonly #fellOut = new Map<number, Set<string>>();
  /** Versions of the agent, each with its number in the order of their updates. */
  readonly #versions = new Map<string, number>();
  /** By epoch: number of the version that its last update made. */
  readonly #newest = new Map<number, number>();
  /** Epochs whose updates are over. */
  readonly #ended = new Set<number>();

  add(event: JournalEvent): void {
    switch (event.type) {
      case 'run.started':
        this.#versions.set(event.agent.name, 0);
        return;
      case 'rollouts.finished': {
        const out = this.#fellOut.get(event.epoch) ?? new Set();
        for (const { task } of event.dropped?.groups ?? []) out.add(task);
        this.#fellOut.set(event.epoch, out);
        if (event.late !== undefined) this.#late.set(event.epoch, event.late);
        return;
      }
      case 'agent.updated':
        this.#newest.set(event.epoch, this.#versions.size);
        this.#versions.set(event.version.name, this.#versions.size);
        return;
      // The phase after both updates.
      case 'pools.grown':
        this.#ended.add(event.epoch);
    }
  }

  countedIn(attempt: Pick<Attempt, 'task' | 'epoch'>): number {
    return countedIn(this.#late, attempt);
  }

  whyNone(attempt: Attempt): Learning['why'] {
    if (this.#fellOut.get(attempt.epoch)?.has(attempt.task) === true) return 'fell out';
    const epoch = this.countedIn(attempt);
    // Each round of an epoch is attempted by the agent that the round before left, and learned from by the next version.
    const by = this.#versions.get(attempt.version);
    if (by !== undefined && (this.#newest.get(epoch) ?? -1) > by) return null;
    return this.#ended.has(epoch) ? 'skipped' : 'not updated';
  }
}
