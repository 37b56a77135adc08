import * as l10n from '@vscode/l10n';
import { StateFold, type RunState } from '../../engine/state.ts';
import type { FamilyScore, JournalEvent } from '../../shared/journal/events.ts';
import type { Lineage } from './lineage.ts';
import { journalStart, positionAfter, readEventAt, readJournal, type PlacedEvent } from './journalFile.ts';
import { sizeOf } from '../files/jsonLines.ts';
import { RunError } from '../store/runError.ts';
import { RunFacts, withoutFamilies } from '../facts/runFacts.ts';

/** Number of epochs whose families stay in memory after a request. */
const epochsHeld = 8;

type Place = Pick<PlacedEvent, 'start' | 'end'>;

/**
 * Reads a journal as it grows: folds every event once, and notes where each epoch's families lie, so that they need not
 * stay in memory.
 */
export class JournalFollower {
  readonly path: string;
  /** More folds of the same events. */
  readonly facts: RunFacts;
  readonly #state = new StateFold();
  #position = journalStart;
  readonly #places = new Map<number, Place>();
  readonly #held = new Map<number, Promise<readonly FamilyScore[]>>();

  constructor(path: string, lineage: Lineage) {
    this.path = path;
    this.facts = new RunFacts(lineage);
  }

  /** Fold of all events so far, without their families: those are read from their place. */
  get state(): RunState {
    return this.#state.state;
  }

  /** Epochs whose families were scored, in order. */
  get scoredEpochs(): readonly number[] {
    return [...this.#places.keys()];
  }

  /**
   * The events appended since the last call, in batches; `state` contains a batch when it is yielded. One caller at a
   * time. @throws RunError `format`, `version`, `unreadable`
   */
  async *poll(batchBytes = 2 ** 18): AsyncGenerator<JournalEvent[]> {
    if ((await sizeOf(this.path)) < this.#position.offset) throw this.#shrunk();
    let batch: PlacedEvent[] = [];
    let bytes = 0;
    for await (const placed of readJournal(this.path, this.#position)) {
      batch.push(placed);
      bytes += placed.end - placed.start;
      if (bytes < batchBytes) continue;
      yield this.#take(batch);
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) yield this.#take(batch);
  }

  /** The families of one epoch; none when it was not scored. @throws RunError `format`, `version`, `unreadable` */
  familiesOf(epoch: number): Promise<readonly FamilyScore[]> {
    const held = this.#held.get(epoch);
    const families = held ?? this.#readFamilies(epoch);
    // Least recently used is dropped first.
    this.#held.delete(epoch);
    this.#held.set(epoch, families);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= epochsHeld) break;
      this.#held.delete(oldest);
    }
    return families;
  }

  /** Folds a whole batch in one turn, so that readers of the folds never see more than was yielded. */
  #take(batch: readonly PlacedEvent[]): JournalEvent[] {
    return batch.map((placed) => {
      const { event, start, end } = placed;
      this.#position = positionAfter(placed, this.#position);
      this.#state.add(withoutFamilies(event));
      this.facts.add(event);
      if (event.type === 'families.scored') this.#places.set(event.epoch, { start, end });
      return event;
    });
  }

  async #readFamilies(epoch: number): Promise<readonly FamilyScore[]> {
    const place = this.#places.get(epoch);
    if (place === undefined) return [];
    try {
      const event = await readEventAt(this.path, place);
      return event.type === 'families.scored' ? event.families : [];
    } catch (error) {
      this.#held.delete(epoch);
      throw error;
    }
  }

  #shrunk(): RunError {
    return new RunError('format', {
      path: this.path,
      what: l10n.t('the file became shorter while it was followed'),
      remedy: l10n.t('Restore it from a copy, then open the run again.'),
    });
  }
}
