/** What the dashboard shows of a run, folded from its journal; what changed since it was last taken, or all of it. */
import { EpochFold } from '../../runs/report/epochFold.ts';
import { FamilyColumns, type ScoredEpoch } from '../../shared/calibration/familyColumns.ts';
import type { Curriculum } from '../../shared/experiment/schema.ts';
import type { EventOf, JournalEvent } from '../../shared/journal/events.ts';
import type { CalibrationData, RewardRow } from '../../shared/views/calibration.ts';

type Scored = EventOf<'families.scored'>;

/** Families and rows in one message at most: no message takes long to pack or to unpack. */
const families = 20_000;
const rows = 500;

export class CalibrationFold {
  readonly epochs = new EpochFold();
  readonly columns = new FamilyColumns();
  readonly rewards = new Map<number, RewardRow>();
  readonly #curriculum: Pick<Curriculum, 'estimate' | 'warmupEpochs'>;
  #filter: Curriculum['filter'];
  /** Sequence number of the next event: what was read twice is told apart by it. */
  #next = 0;
  readonly #changed = { rows: new Set<number>(), validations: new Set<number>(), rewards: new Set<number>() };
  #marksTaken = 0;
  #epochsTaken = 0;

  /** @param curriculum as the run began */
  constructor({ estimate, warmupEpochs, filter }: Curriculum) {
    this.#curriculum = { estimate, warmupEpochs };
    this.#filter = filter;
  }

  add(event: JournalEvent): void {
    if (event.seq < this.#next) return;
    this.#next = event.seq + 1;
    this.epochs.add(event);
    if (event.type === 'settings.changed') this.#addChange(event);
    else if (event.type === 'families.scored') this.columns.add(event, this.#how(event));
    if (event.type === 'validated') this.#changed.validations.add(event.epoch);
    if ('epoch' in event && this.epochs.row(event.epoch) !== undefined) this.#changed.rows.add(event.epoch);
  }

  addReward(row: RewardRow): void {
    this.rewards.set(row.epoch, row);
    this.#changed.rewards.add(row.epoch);
  }

  /** What changed since it was last taken; nothing when nothing did. */
  take(): CalibrationData[] {
    const { rows: changed, validations, rewards } = this.#changed;
    const head: CalibrationData = {
      rows: [...changed].flatMap((epoch) => this.epochs.row(epoch) ?? []),
      validations: [...validations].flatMap((epoch) => this.epochs.validation(epoch) ?? []),
      marks: this.epochs.changes.slice(this.#marksTaken),
      families: null,
      rewards: [...rewards].flatMap((epoch) => this.rewards.get(epoch) ?? []),
    };
    for (const set of [changed, validations, rewards]) set.clear();
    this.#marksTaken = this.epochs.changes.length;
    const blocks = this.#blocks(this.#epochsTaken, this.columns.epochs.length);
    this.#epochsTaken = this.columns.epochs.length;
    return [...pieces(head), ...blocks].filter(holdsSomething);
  }

  /** All of it as it is now, for a page that knows nothing yet; what changes meanwhile is left for `take`. */
  *all(): Generator<CalibrationData> {
    this.take();
    const end = this.columns.epochs.length;
    const head: CalibrationData = {
      rows: this.epochs.rows,
      validations: this.epochs.validations,
      marks: [...this.epochs.changes],
      families: null,
      rewards: [...this.rewards.values()],
    };
    for (const piece of pieces(head)) if (holdsSomething(piece)) yield piece;
    yield* this.#blocks(0, end);
  }

  #addChange({ changes }: EventOf<'settings.changed'>): void {
    for (const { field, to } of changes) {
      if (field === 'curriculum.filter' && (to === 'hard' || to === 'soft' || to === 'off')) this.#filter = to;
    }
  }

  #how({ epoch }: Scored): Pick<ScoredEpoch, 'estimate' | 'filter'> {
    const { estimate, warmupEpochs } = this.#curriculum;
    return { estimate, filter: epoch <= warmupEpochs ? 'off' : this.#filter };
  }

  *#blocks(first: number, last: number): Generator<CalibrationData> {
    const { epochs } = this.columns;
    let start = first;
    while (start < last) {
      const from = epochs[start]?.from ?? 0;
      let end = start + 1;
      while (end < last && (epochs[end]?.to ?? 0) - from <= families) end += 1;
      yield { ...empty, families: this.columns.block(start, end) };
      start = end;
    }
  }
}

const empty: CalibrationData = { rows: [], validations: [], marks: [], families: null, rewards: [] };

function pieces(data: CalibrationData): CalibrationData[] {
  const { rows: all, ...rest } = data;
  const first: CalibrationData = { ...rest, rows: all.slice(0, rows) };
  const more: CalibrationData[] = [];
  for (let from = rows; from < all.length; from += rows) more.push({ ...empty, rows: all.slice(from, from + rows) });
  return [first, ...more];
}

const holdsSomething = ({ rows: own, validations, marks, families: block, rewards }: CalibrationData): boolean =>
  own.length + validations.length + marks.length + rewards.length > 0 || block !== null;
