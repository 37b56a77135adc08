/** The data to send to a run's dashboard: changes of its charts since the last call, or all of it. */
import type { RunCharts } from '../../../runs/facts/runCharts.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { CalibrationData, RewardRow } from '../contract.ts';

/** Families and rows in one message at most: no message takes long to pack or to unpack. */
const families = 20_000;
const rows = 500;

export class CalibrationFold {
  readonly rewards = new Map<number, RewardRow>();
  readonly #charts: RunCharts;
  readonly #changed = {
    rows: new Set<number>(),
    validations: new Set<number>(),
    evaluations: new Set<number>(),
    rewards: new Set<number>(),
  };
  #marksTaken = 0;
  #epochsTaken = 0;

  constructor(charts: RunCharts) {
    this.#charts = charts;
  }

  /** Notes the changes of an event, after the charts took it. */
  note(event: JournalEvent): void {
    if (event.type === 'validated') this.#changed.validations.add(event.epoch);
    if (event.type === 'evaluated') this.#changed.evaluations.add(event.epoch);
    if ('epoch' in event && this.#charts.epochs.row(event.epoch) !== undefined) this.#changed.rows.add(event.epoch);
  }

  addReward(row: RewardRow): void {
    this.rewards.set(row.epoch, row);
    this.#changed.rewards.add(row.epoch);
  }

  /** The changes since the last call; empty for none. */
  take(): CalibrationData[] {
    const { rows: changed, validations, evaluations, rewards } = this.#changed;
    const { epochs, columns } = this.#charts;
    const head: CalibrationData = {
      rows: [...changed].flatMap((epoch) => epochs.row(epoch) ?? []),
      validations: [...validations].flatMap((epoch) => epochs.validation(epoch) ?? []),
      evaluations: [...evaluations].flatMap((epoch) => epochs.evaluation(epoch) ?? []),
      marks: epochs.changes.slice(this.#marksTaken),
      families: null,
      rewards: [...rewards].flatMap((epoch) => this.rewards.get(epoch) ?? []),
    };
    const blocks = this.#blocks(this.#epochsTaken, columns.epochs.length);
    const all = [...pieces(head), ...blocks].filter(holdsSomething);
    this.#taken();
    return all;
  }

  /** All current data, for a new page; changes meanwhile are left for `take`. */
  *all(): Generator<CalibrationData> {
    this.#taken();
    const { epochs, columns } = this.#charts;
    const end = columns.epochs.length;
    const head: CalibrationData = {
      rows: epochs.rows,
      validations: epochs.validations,
      evaluations: epochs.evaluations,
      marks: [...epochs.changes],
      families: null,
      rewards: [...this.rewards.values()],
    };
    for (const piece of pieces(head)) if (holdsSomething(piece)) yield piece;
    yield* this.#blocks(0, end);
  }

  #taken(): void {
    for (const set of Object.values(this.#changed)) set.clear();
    this.#marksTaken = this.#charts.epochs.changes.length;
    this.#epochsTaken = this.#charts.columns.epochs.length;
  }

  *#blocks(first: number, last: number): Generator<CalibrationData> {
    const { columns } = this.#charts;
    const { epochs } = columns;
    let start = first;
    while (start < last) {
      const from = epochs[start]?.from ?? 0;
      let end = start + 1;
      while (end < last && (epochs[end]?.to ?? 0) - from <= families) end += 1;
      yield { ...empty, families: columns.block(start, end) };
      start = end;
    }
  }
}

const empty: CalibrationData = { rows: [], validations: [], evaluations: [], marks: [], families: null, rewards: [] };

function pieces(data: CalibrationData): CalibrationData[] {
  const { rows: all, ...rest } = data;
  const first: CalibrationData = { ...rest, rows: all.slice(0, rows) };
  const more: CalibrationData[] = [];
  for (let from = rows; from < all.length; from += rows) more.push({ ...empty, rows: all.slice(from, from + rows) });
  return [first, ...more];
}

const holdsSomething = ({
  rows: own,
  validations,
  evaluations,
  marks,
  families: block,
  rewards,
}: CalibrationData): boolean =>
  own.length + validations.length + evaluations.length + marks.length + rewards.length > 0 || block !== null;
