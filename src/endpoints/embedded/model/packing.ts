/**
 * Sequences of any length, packed without padding. Sequences that begin alike (the attempts at one task share its prompt)
 * are packed as one prefix and many continuations: the prefix is computed once and every continuation's gradient flows
 * into it. Values do not depend on the packing, only the cost does.
 *
 * A sequence of L tokens has L − 1 input rows; row i is scored on token i + 1.
 */
import { outOfRange } from '../../../shared/outOfRange.ts';

/** One micro-batch. Arrays of `rows` unless said otherwise. */
export interface Packed {
  rows: number;
  tokens: Int32Array;
  positions: Int32Array;
  /** Row of the previous position of the same sequence and of the one before; −1 at the start. */
  previous1: Int32Array;
  previous2: Int32Array;
  /** first row, length, prefix's first row, prefix's length; four a segment. */
  segments: Int32Array;
  sequences: readonly PackedSequence[];
  /** Σ over sequences of L − 1. */
  pairs: number;
}

export interface PackedSequence {
  /** Index into the caller's list. */
  index: number;
  /** Input rows: `prefixLength` from `prefix`, then `length` from `start`. */
  prefix: number;
  prefixLength: number;
  start: number;
  length: number;
}

export interface PackingLimits {
  rows: number;
  pairs: number;
  /** Whether prefixes are shared; default yes. */
  sharing?: boolean;
}

interface Group {
  members: number[];
  /** Input tokens that all members share; their whole input for a group of one. */
  shared: number;
}

/** Below this a shared prefix is not worth a segment of its own. */
const shortestPrefix = 4;

type Sequences = readonly (readonly number[])[];

export function pack(sequences: Sequences, limits: PackingLimits): Packed[] {
  const batches: Packed[] = [];
  let groups: Group[] = [];
  let rows = 0;
  let pairs = 0;
  const flush = (): void => {
    if (groups.length > 0) batches.push(layOut(sequences, groups, rows, pairs));
    groups = [];
    rows = 0;
    pairs = 0;
  };
  for (const group of groupByPrefix(sequences, limits)) {
    const size = groupRows(sequences, group);
    const scored = groupPairs(sequences, group);
    if (rows + size > limits.rows || pairs + scored > limits.pairs) flush();
    groups.push(group);
    rows += size;
    pairs += scored;
  }
  flush();
  return batches;
}

const inputs = (sequences: Sequences, index: number): number => Math.max(0, (sequences[index]?.length ?? 0) - 1);

function groupPairs(sequences: Sequences, group: Group): number {
  return group.members.reduce((sum, index) => sum + inputs(sequences, index), 0);
}

function groupRows(sequences: Sequences, group: Group): number {
  return groupPairs(sequences, group) - (group.members.length - 1) * group.shared;
}

/** Neighbours in lexicographic order share the longest prefixes; a group grows while that saves rows. */
function groupByPrefix(sequences: Sequences, limits: PackingLimits): Group[] {
  const order = sequences.flatMap((_, index) => (inputs(sequences, index) > 0 ? [index] : []));
  order.sort((a, b) => compare(sequences[a] ?? [], sequences[b] ?? []) || a - b);
  const groups: Group[] = [];
  let group: Group | undefined;
  for (const index of order) {
    const length = inputs(sequences, index);
    if (group) {
      const shared = Math.min(
        group.shared,
        length,
        commonPrefix(sequences[group.members[0] ?? outOfRange()] ?? [], sequences[index] ?? []),
      );
      const grown: Group = { members: [...group.members, index], shared };
      const fits = groupRows(sequences, grown) <= limits.rows && groupPairs(sequences, grown) <= limits.pairs;
      if (
        limits.sharing !== false &&
        shared >= shortestPrefix &&
        fits &&
        groupRows(sequences, grown) <= groupRows(sequences, group) + length
      ) {
        group.members.push(index);
        group.shared = shared;
        continue;
      }
    }
    group = { members: [index], shared: length };
    groups.push(group);
  }
  return groups;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const shared = commonPrefix(a, b);
  return (a[shared] ?? -1) - (b[shared] ?? -1);
}

function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a[i] === b[i]) i++;
  return i;
}

function layOut(sequences: Sequences, groups: readonly Group[], rows: number, pairs: number): Packed {
  const tokens = new Int32Array(rows);
  const positions = new Int32Array(rows);
  const previous1 = new Int32Array(rows);
  const previous2 = new Int32Array(rows);
  const segments: number[] = [];
  const packed: PackedSequence[] = [];
  let next = 0;
  /** Lays out input tokens [from, to) of a sequence whose earlier rows, if any, are the prefix's. */
  const segment = (sequence: readonly number[], from: number, to: number, prefix: number): number => {
    const start = next;
    const rowOf = (position: number): number =>
      position < 0 ? -1 : position < from ? prefix + position : start + position - from;
    for (let position = from; position < to; position++, next++) {
      tokens[next] = sequence[position] ?? outOfRange();
      positions[next] = position;
      previous1[next] = rowOf(position - 1);
      previous2[next] = rowOf(position - 2);
    }
    if (to > from) segments.push(start, to - from, prefix, from);
    return start;
  };
  for (const { members, shared } of groups) {
    const first = sequences[members[0] ?? outOfRange()] ?? [];
    if (members.length === 1) {
      const start = segment(first, 0, first.length - 1, 0);
      packed.push({ index: members[0] ?? outOfRange(), prefix: 0, prefixLength: 0, start, length: first.length - 1 });
      continue;
    }
    const prefix = segment(first, 0, shared, 0);
    for (const index of members) {
      const sequence = sequences[index] ?? [];
      const length = sequence.length - 1 - shared;
      const start = segment(sequence, shared, sequence.length - 1, prefix);
      packed.push({ index, prefix, prefixLength: shared, start, length });
    }
  }
  return {
    rows,
    tokens,
    positions,
    previous1,
    previous2,
    segments: Int32Array.from(segments),
    sequences: packed,
    pairs,
  };
}

/** Input row of a position of a packed sequence. */
export function rowOf(sequence: PackedSequence, position: number): number {
  return position < sequence.prefixLength
    ? sequence.prefix + position
    : sequence.start + position - sequence.prefixLength;
}
