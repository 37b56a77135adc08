/** The data of a run's charts, folded from its journal: one row an epoch, and its measured families as columns. */
import { FamilyColumns, type ScoredEpoch } from '../../shared/calibration/familyColumns.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { Lineage } from '../journal/lineage.ts';
import { SettingsFold } from '../journal/settingsFold.ts';
import { EpochFold } from './epochFold.ts';

export class RunCharts {
  readonly epochs = new EpochFold();
  readonly columns = new FamilyColumns();
  readonly #settings: SettingsFold;

  constructor(lineage: Lineage) {
    this.#settings = new SettingsFold(lineage);
  }

  /** Takes events in order. */
  add(event: JournalEvent): void {
    this.epochs.add(event);
    this.#settings.add(event);
    if (event.type === 'families.scored') this.columns.add(event, this.#how(event.epoch));
  }

  #how(epoch: number): Pick<ScoredEpoch, 'estimate' | 'filter' | 'signalOf'> {
    const { estimate, filter, warmupEpochs, reward } = this.#settings.in(epoch).curriculum;
    return { estimate, filter: epoch <= warmupEpochs ? 'off' : filter, signalOf: reward.kind };
  }
}
