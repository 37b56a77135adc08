/** The settings of each epoch, folded from a journal as it grows: a branch's shared epochs have those of the run that made them. */
import type { RunState } from '../../engine/state.ts';
import { append } from '../../shared/append.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { changesOf, inForce } from './experimentNow.ts';
import { runOf, type Lineage, type Settings } from './lineage.ts';

export class SettingsFold {
  readonly #lineage: Lineage;
  readonly #changes: RunState['changes'][number][] = [];
  /** By the run that made an epoch, by the changes that `#changed` counts. */
  readonly #known = new Map<Settings, Experiment>();
  #changed = 0;

  constructor(lineage: Lineage) {
    this.#lineage = lineage;
  }

  /** Takes events in order. */
  add(event: JournalEvent): void {
    if (event.type === 'settings.changed') append(this.#changes, changesOf(event));
  }

  /** In force in an epoch by the events so far; as its run began where a change does not fit. */
  in(epoch: number): Experiment {
    if (this.#changed !== this.#changes.length) this.#known.clear();
    this.#changed = this.#changes.length;
    const run = runOf(this.#lineage, epoch);
    const settings = this.#known.get(run) ?? inForce(run, { changes: this.#changes });
    this.#known.set(run, settings);
    return settings;
  }
}
