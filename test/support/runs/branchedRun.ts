/** Branches of scripted runs, carried on to their end as the program does it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ports } from '../../../src/engine/ports.ts';
import { StateFold, type RunState } from '../../../src/engine/state.ts';
import { ownChanges } from '../../../src/runs/journal/experimentNow.ts';
import type { Manifest } from '../../../src/runs/store/manifest.ts';
import type { RunStore } from '../../../src/runs/store/runStore.ts';
import type { RunWriter } from '../../../src/runs/store/runWriter.ts';
import type { EventOf, JournalEvent } from '../../../src/shared/journal/events.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { MemoryRun, runScripted } from '../scripted/scriptedRun.ts';
import { all } from './tempRuns.ts';

export interface Scripted {
  id: string;
  dir: string;
  run: MemoryRun;
}

/** Ports of a run, by what its scripted policies keep. */
type PortsOf = (run: MemoryRun) => Partial<Ports>;

/** As a run is resumed: its manifest has its parent's changes, and it tries again what its parent failed at. */
class Carried extends MemoryRun {
  readonly #manifest: Manifest;

  constructor(manifest: Manifest) {
    super();
    this.#manifest = manifest;
  }

  override get state(): RunState {
    const state = super.state;
    const shared = this.#manifest.parent?.epoch ?? 0;
    return {
      ...state,
      changes: ownChanges(this.#manifest, state.changes),
      unusable: state.unusable.filter(({ epoch }) => epoch > shared),
    };
  }
}

/** A run from its start to its end, which can be branched. */
export async function wholeRun(store: RunStore, experiment: Experiment, portsOf: PortsOf = () => ({})) {
  return carriedOn(await store.create({ experiment }), new MemoryRun(), portsOf);
}

interface Branch {
  parent: Scripted;
  epoch: number;
  experiment: Experiment;
  /** Settings by which it is measured otherwise, as its journal names them. */
  changes?: EventOf<'settings.changed'>['changes'];
}

function foldOf(events: readonly JournalEvent[]): RunState {
  const fold = new StateFold();
  for (const event of events) fold.add(event);
  return fold.state;
}

/** A branch of one. @param epoch the last one that both share */
export async function wholeBranch(
  store: RunStore,
  { parent, epoch, experiment, changes = [] }: Branch,
  portsOf: PortsOf = () => ({}),
): Promise<Scripted> {
  const writer = await store.branch(parent.id, epoch, experiment);
  if (changes.length > 0) {
    const { seq } = foldOf(await all(writer.events()));
    await writer.append({
      ...{ v: 1, seq, at: 0, type: 'settings.changed', epoch: epoch + 1, author: 'ada' },
      changes: [...changes],
    });
  }
  return carriedOn(writer, parent.run, portsOf);
}

async function carriedOn(writer: RunWriter, { checkpoints }: MemoryRun, portsOf: PortsOf): Promise<Scripted> {
  const { id, dir, manifest } = writer;
  const run = new Carried(manifest);
  run.events = await all(writer.events());
  for (const role of ['agent', 'environment'] as const) {
    for (const [name, weight] of checkpoints[role]) run.checkpoints[role].set(name, weight);
  }
  try {
    const shared = manifest.parent?.epoch ?? 0;
    const append = async (event: JournalEvent): Promise<void> => {
      await writer.append(event);
      run.events.push(event);
    };
    const ports = { journal: { append }, records: writer, shared, ...portsOf(run) };
    await runScripted(manifest.experiment, run, { ports });
    // Scripted policies keep their weights in memory; a branch wants files.
    const folder = join(dir, 'checkpoints');
    await mkdir(folder, { recursive: true });
    for (const [name, weight] of [...run.checkpoints.agent, ...run.checkpoints.environment])
      await writeFile(join(folder, name), String(weight));
  } finally {
    await writer.close();
  }
  return { id, dir, run };
}
