/** The data of a run's charts, folded from its journal: one row an epoch, and its measured families as columns. */
import { FamilyColumns, type ScoredEpoch } from '../../shared/calibration/familyColumns.ts';
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../shared/journal/events.ts';
import { EpochFold } from './epochFold.ts';

export class RunCharts {
  readonly epochs = new EpochFold();
  readonly columns = new FamilyColumns();
  readonly #curriculum: Pick<Curriculum, 'estimate' | 'warmupEpochs' | 'reward'>;
  #filter: Curriculum['filter'];

  /** @param curriculum as the run began */
  constructor({ estimate, warmupEpochs, filter, reward }: Curriculum) {
    this.#curriculum = { estimate, warmupEpochs, reward };
    this.#filter = filter;
  }

  /** Takes events in order. */
  add(event: JournalEvent): void {
    this.epochs.add(event);
    if (event.type === 'settings.changed') this.#addChange(event);
    else if (event.type === 'families.scored') this.columns.add(event, this.#how(event.epoch));
  }

  #addChange({ changes }: EventOf<'settings.changed'>): void {
    for (const { field, to } of changes) {
      if (field === 'curriculum.filter' && (to === 'hard' || to === 'soft' || to === 'off')) this.#filter = to;
    }
  }

  #how(epoch: number): Pick<ScoredEpoch, 'estimate' | 'filter' | 'signalOf'> {
    const { estimate, warmupEpochs, reward } = this.#curriculum;
    return { estimate, filter: epoch <= warmupEpochs ? 'off' : this.#filter, signalOf: reward.kind };
  }
}
