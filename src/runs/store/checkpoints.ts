import { readdir, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { anchorsOf } from '../../engine/crossPlay/plan.ts';
import type { CheckpointRef } from '../../engine/ports.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { codeOf } from '../../shared/systemError.ts';
import { writeError } from '../files/fileErrors.ts';

/** Both policies' training states at the end of an epoch. */
export interface CheckpointPair {
  agent: CheckpointRef;
  environment: CheckpointRef;
}

/** Most checkpoints of one policy that pruning leaves. */
export const mostCheckpoints = 20;

/** Which checkpoints belong to which epoch, folded from the journal. Epoch 0 is the start. */
export class CheckpointLedger {
  readonly #agent: { epoch: number; ref: CheckpointRef }[] = [];
  readonly #environment: { epoch: number; ref: CheckpointRef }[] = [];
  /** Epochs after which versions were compared. */
  readonly #checks: number[] = [];
  /** Last finished epoch. */
  epoch = 0;

  add(event: JournalEvent): void {
    if (event.type === 'run.started') {
      this.#agent.push({ epoch: 0, ref: event.checkpoints.agent });
      this.#environment.push({ epoch: 0, ref: event.checkpoints.environment });
    } else if (event.type === 'agent.updated') this.#agent.push({ epoch: event.epoch, ref: event.checkpoint });
    else if (event.type === 'environment.updated')
      this.#environment.push({ epoch: event.epoch, ref: event.checkpoint });
    else if (event.type === 'cross.played') this.#checks.push(event.epoch);
    else if (event.type === 'epoch.finished') this.epoch = event.epoch;
  }

  /**
   * The checkpoints at the end of an epoch; a policy without an update in it keeps its last one. Null before the start.
   */
  at(epoch: number): CheckpointPair | null {
    const agent = this.#agent.findLast((taken) => taken.epoch <= epoch);
    const environment = this.#environment.findLast((taken) => taken.epoch <= epoch);
    return agent === undefined || environment === undefined ? null : { agent: agent.ref, environment: environment.ref };
  }

  /** Every checkpoint taken in epochs up to this one. */
  upTo(epoch: number): CheckpointRef[] {
    return [...this.#agent, ...this.#environment].filter((taken) => taken.epoch <= epoch).map(({ ref }) => ref);
  }

  /**
   * Names to keep: the initial ones, those of the last two epochs and of versions that still sample, agents that later checks
   * compare with, and those of every k-th epoch for branching, with the least k that keeps at most 20 of a policy over
   * `epochs` epochs.
   */
  keep({ epochs, rollouts: { staleness } }: Pick<Experiment, 'epochs' | 'rollouts'>): Set<string> {
    const stride = Math.max(1, Math.ceil(epochs / (mostCheckpoints - 3)));
    const names = new Set<string>();
    for (let epoch = 0; epoch <= this.epoch; epoch++) {
      if (epoch % stride !== 0 && epoch < this.epoch - 1 - staleness) continue;
      const pair = this.at(epoch);
      if (pair !== null) names.add(pair.agent.name).add(pair.environment.name);
    }
    for (const epoch of anchorsOf(this.#checks)) {
      const agent = this.at(epoch)?.agent;
      if (agent !== undefined) names.add(agent.name);
    }
    // Taken in the epoch under way: a resume starts from them.
    for (const { epoch, ref } of [...this.#agent, ...this.#environment]) if (epoch > this.epoch) names.add(ref.name);
    return names;
  }
}

/** The file of a checkpoint in its run's checkpoint folder; null for one that lives elsewhere (`tinker://…`). */
export function checkpointFile(folder: string, { handle }: CheckpointRef): string | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(handle) || isAbsolute(handle)) return null;
  const path = resolve(folder, handle);
  const inside = relative(folder, path);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? null : path;
}

/**
 * Removes all other entries from a checkpoint folder: an entry stays when it has one of these names, with or without an
 * extension. Hidden entries stay, since they may be in progress. Returns the removed names.
 * @throws RunError `unwritable`
 */
export async function pruneCheckpoints(dir: string, keepNames: Iterable<string>): Promise<string[]> {
  const keep = new Set([...keepNames].map((name) => basename(name)));
  const removed: string[] = [];
  try {
    for (const entry of await readdir(dir)) {
      if (entry.startsWith('.') || [...keep].some((name) => entry === name || entry.startsWith(`${name}.`))) continue;
      await rm(join(dir, entry), { recursive: true });
      removed.push(entry);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return removed;
    throw writeError(error, dir);
  }
  return removed;
}
