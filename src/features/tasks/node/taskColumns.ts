import type { Hash } from '../../../runs/index/recordRow.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Where a task can come from, in the order of `origin`. */
export const origins = ['base', 'generated', 'offline', 'validation'] as const;
/** The statuses of a task, in the order of `status`. */
export const statuses = ['accepted', 'rejected', 'excluded', 'damaged'] as const;

/** A row's facts before edits. */
export interface RowFacts {
  epoch: number;
  /** Place in `origins`. */
  origin: number;
  rejected: boolean;
  id: Hash;
  family: Hash;
  seed: Hash;
}

/**
 * The tasks of an editor as typed arrays, one entry a row, so that a million of them are filtered and ordered at once.
 * Arrays are longer than `count`; the entries beyond it are meaningless.
 */
export class TaskColumns {
  count = 0;
  epoch = new Uint32Array(0);
  origin = new Uint8Array(0);
  /** The record's own status, before users' exclusions: index in `statuses`. */
  recorded = new Uint8Array(0);
  /** As people left it: place in `statuses`. */
  status = new Uint8Array(0);
  edited = new Uint8Array(0);
  idLow = new Uint32Array(0);
  idHigh = new Uint32Array(0);
  familyLow = new Uint32Array(0);
  familyHigh = new Uint32Array(0);
  seedLow = new Uint32Array(0);
  seedHigh = new Uint32Array(0);
  /** Over all training attempts whose answer was judged. */
  successes = new Uint32Array(0);
  attempts = new Uint32Array(0);
  /** R_env of the epoch it was scored in last; NaN when it was not. */
  reward = new Float64Array(0);
  /** In a pool; NaN elsewhere. */
  weight = new Float64Array(0);
  /** Characters of the prompt; known after a scan. */
  length = new Uint32Array(0);
  /** Bits by place in `flagNames`; known after the flags were computed. */
  flags = new Uint16Array(0);
  /** Known after a scan. */
  readonly ids: string[] = [];
  readonly families: string[] = [];
  readonly seeds: string[] = [];
  /** Digests of the lines of rows without an id, as they stand in the file; known after a scan. */
  readonly lines = new Map<number, string>();
  /** Of rows whose run has several domains; known after a scan. */
  readonly domains = new Map<number, string>();
  /** As people left them; rows without any are not in it. */
  readonly tags = new Map<number, readonly string[]>();

  /** A row's name in every reading; undefined before it was scanned. */
  keyOf(row: number): string | undefined {
    return this.lines.get(row) ?? this.ids[row];
  }

  push(facts: RowFacts): number {
    const row = this.count;
    if (row === this.epoch.length) this.reserve(Math.max(1024, row * 2));
    this.epoch[row] = facts.epoch;
    this.origin[row] = facts.origin;
    this.recorded[row] = facts.rejected ? 1 : 0;
    this.status[row] = facts.rejected ? 1 : 0;
    this.idLow[row] = facts.id.low;
    this.idHigh[row] = facts.id.high;
    this.familyLow[row] = facts.family.low;
    this.familyHigh[row] = facts.family.high;
    this.seedLow[row] = facts.seed.low;
    this.seedHigh[row] = facts.seed.high;
    this.reward[row] = NaN;
    this.weight[row] = NaN;
    this.count = row + 1;
    return row;
  }

  /** Makes room for this many rows in all, so that a source of known size is taken without regrowing. */
  reserve(rows: number): void {
    if (rows <= this.epoch.length) return;
    this.epoch = grown32(this.epoch, rows);
    this.origin = grown8(this.origin, rows);
    this.recorded = grown8(this.recorded, rows);
    this.status = grown8(this.status, rows);
    this.edited = grown8(this.edited, rows);
    this.idLow = grown32(this.idLow, rows);
    this.idHigh = grown32(this.idHigh, rows);
    this.familyLow = grown32(this.familyLow, rows);
    this.familyHigh = grown32(this.familyHigh, rows);
    this.seedLow = grown32(this.seedLow, rows);
    this.seedHigh = grown32(this.seedHigh, rows);
    this.successes = grown32(this.successes, rows);
    this.attempts = grown32(this.attempts, rows);
    this.reward = grown64(this.reward, rows);
    this.weight = grown64(this.weight, rows);
    this.length = grown32(this.length, rows);
    const flags = new Uint16Array(rows);
    flags.set(this.flags);
    this.flags = flags;
  }

  /** Marks a row's edited state. */
  mark(row: number, excluded: boolean, edited: boolean, tags: readonly string[]): void {
    this.status[row] = excluded ? 2 : (this.recorded[row] ?? outOfRange());
    this.edited[row] = edited ? 1 : 0;
    if (tags.length === 0) this.tags.delete(row);
    else this.tags.set(row, tags);
  }
}

function grown32(old: Uint32Array, size: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(size);
  next.set(old);
  return next;
}

function grown64(old: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(size);
  next.set(old);
  return next;
}

function grown8(old: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const next = new Uint8Array(size);
  next.set(old);
  return next;
}
