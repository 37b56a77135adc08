/** A search through one file of records: the newest first, and only those that the indexes leave. */
import { crc32 } from 'node:zlib';
import type * as z from 'zod';
import { changedRecords } from '../../../runs/files/fileErrors.ts';
import type { IndexRows } from '../../../runs/index/indexRows.ts';
import { recordVersion } from '../../../runs/index/recordKind.ts';
import { parseJson, validate } from '../../../runs/files/parseLine.ts';
import { escaped } from './matches.ts';
import { chunkRows, type RecordFile } from './recordFile.ts';
import type { RowFits } from './rowsFit.ts';
import { eachSaid, isCompact } from './traceTexts.ts';
import { plainRuns, trigramsOf } from './textFilter.ts';
import { TextIndex, type AskedBlock } from './textIndex.ts';

/** The search in one file. */
export interface Wanted<R, H> {
  rowFits: RowFits;
  /** Words that the conversation must all contain, ignoring case. */
  words: readonly string[];
  schema: z.ZodType<R>;
  /** Null when the record does not fit after all. */
  hit: (record: R) => H | null;
}

export interface Searching {
  signal: AbortSignal;
  /** Called with the number of processed rows, and the total. */
  onProgress: (done: number, total: number) => void;
}

type Rows = Pick<RecordFile<{ id: string; epoch: number }>, 'count' | 'rows' | 'bytes' | 'paths'>;

/** Rows [from, to), lying next to each other. */
interface Range {
  rows: IndexRows;
  /** Places in `rows`, descending. */
  chosen: number[];
}

/** Bytes of a range: small at first, so that the first hits come at once. */
const firstRangeBytes = 2 ** 16;
const rangeBytes = 2 ** 20;
/** Less than this between two records is read through rather than left out. */
const gapBytes = 2 ** 14;

/** Hits of a range of records at a time, the newest first. @throws RunError */
export async function* searchRecords<R, H>(
  records: Rows,
  textIndexPath: string,
  wanted: Wanted<R, H>,
  { signal, onProgress }: Searching,
): AsyncGenerator<H[]> {
  const trigrams = trigramsOf(wanted.words);
  const needle = needleOf(wanted.words);
  const index = await TextIndex.open(textIndexPath, trigrams);
  const { count } = records;
  let room = firstRangeBytes;
  try {
    for (let to = count; to > 0;) {
      const from = Math.floor((to - 1) / chunkRows) * chunkRows;
      const rows = await records.rows(from, to);
      const asksIndex = trigrams.length > 0 && hasAny(rows, wanted.rowFits);
      const chosen = rowsThat(wanted.rowFits, rows, asksIndex ? await index.of(rows) : []);
      for (const range of ranges(rows, chosen, () => room)) {
        if (signal.aborted) return;
        const hits = await hitsIn(range, records, wanted, needle);
        room = Math.min(rangeBytes, room * 2);
        if (hits.length > 0) yield hits;
        onProgress(count - from - (range.chosen.at(-1) ?? 0), count);
      }
      onProgress(count - from, count);
      to = from;
      if (signal.aborted) return;
    }
  } finally {
    await index.close();
  }
}

function hasAny(rows: IndexRows, fits: RowFits): boolean {
  for (let i = rows.count - 1; i >= 0; i--) if (fits(rows, i)) return true;
  return false;
}

/** Places of rows that fit and may hold the words, descending, as the blocks are. */
function rowsThat(fits: RowFits, rows: IndexRows, blocks: readonly AskedBlock[]): number[] {
  const chosen: number[] = [];
  const left = blocks.values();
  let block = left.next().value;
  for (let i = rows.count - 1; i >= 0; i--) {
    const row = rows.first + i;
    while (block !== undefined && row < block.first) block = left.next().value;
    // From its last row down: skips the rest of the block.
    if (block !== undefined && row < block.first + block.count && !block.mayHold) {
      i = block.first - rows.first;
      continue;
    }
    if (fits(rows, i)) chosen.push(i);
  }
  return chosen;
}

/** Chosen rows that are worth reading together. */
function* ranges(rows: IndexRows, chosen: readonly number[], room: () => number): Generator<Range> {
  let range: Range = { rows, chosen: [] };
  for (const i of chosen) {
    const [newest, oldest] = [range.chosen[0], range.chosen.at(-1)];
    if (newest !== undefined && oldest !== undefined) {
      const gap = rows.offset(oldest) - rows.end(i);
      if (gap > gapBytes || rows.end(newest) - rows.offset(i) > room()) {
        yield range;
        range = { rows, chosen: [] };
      }
    }
    range.chosen.push(i);
  }
  if (range.chosen.length > 0) yield range;
}

async function hitsIn<R, H>(
  { rows, chosen }: Range,
  records: Rows,
  { schema, hit }: Wanted<R, H>,
  needle: RegExp | null,
): Promise<H[]> {
  const [newest = 0, oldest = 0] = [chosen[0], chosen.at(-1)];
  const start = rows.offset(oldest);
  const bytes = await records.bytes(start, rows.end(newest));
  if (bytes.byteLength < rows.end(newest) - start) throw changedRecords(records.paths.records);
  const hits: H[] = [];
  for (const i of needle === null ? chosen : holding(bytes, rows, chosen, needle)) {
    const from = rows.offset(i) - start;
    const line = bytes.subarray(from, from + rows.length(i));
    if (crc32(line) !== rows.crc(i)) throw changedRecords(records.paths.records);
    const place = { path: records.paths.records, line: rows.first + i + 1 };
    const found = hit(validate(parseJson(line.toString(), place), schema, recordVersion, place));
    if (found !== null) hits.push(found);
  }
  return hits;
}

/** Those of the chosen rows whose text may hold the needle, without parsing them. */
function holding(bytes: Buffer, rows: IndexRows, chosen: readonly number[], needle: RegExp): number[] {
  const text = bytes.toString('latin1');
  const oldest = chosen.at(-1) ?? 0;
  const start = rows.offset(oldest);
  const found = new Set<number>();
  let i = oldest;
  eachSaid(text, (from, to) => {
    while (rows.end(i) - start <= from) i += 1;
    if (!found.has(i) && needle.test(text.slice(from, to))) found.add(i);
  });
  return chosen.filter((row) => {
    if (found.has(row)) return true;
    const at = rows.offset(row) - start;
    return !isCompact(text.slice(at, at + 200));
  });
}

/** Of all words, the longest part that JSON never escapes; null when there is none. */
function needleOf(words: readonly string[]): RegExp | null {
  const [longest] = words.flatMap(plainRuns).sort((a, b) => b.length - a.length);
  if (longest === undefined) return null;
  return new RegExp(escaped(longest), 'i');
}
