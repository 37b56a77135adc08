/** Makes the text index of a file of records as long as the records are. */
import { constants, mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../../shared/systemError.ts';
import type { IndexRows } from '../../../runs/index/indexRows.ts';
import { chunkRows, type RecordFile } from './recordFile.ts';
import { eachSaid, isCompact } from './traceTexts.ts';
import { addTrigrams, filterBytes } from './textFilter.ts';
import { encodeBlock, entryBytes, isOf, TextIndex, type TextBlock } from './textIndex.ts';

/** Records of so many bytes share a filter: longer stretches fill it, shorter ones make it a larger part of the run. */
const blockBytes = 2 ** 17;
/** However short they are. */
const blockRows = 512;
/** Blocks written together. */
const writeBlocks = 64;

/** Waited for between pieces of the work: others may have something more urgent. */
export type Turn = () => Promise<void>;

type Rows = Pick<RecordFile<{ id: string; epoch: number }>, 'count' | 'rows' | 'bytes'>;

/** An existing file stays when there is nothing to add. @throws RunError, and the disk's errors on writing */
export async function extendTextIndex(records: Rows, path: string, turn: Turn): Promise<void> {
  const good = await goodBlocks(records, path, turn);
  const file = new BlockFile(path, good.blocks * entryBytes);
  try {
    for await (const block of blocksFrom(records, good.rows)) {
      await file.add(block);
      await turn();
    }
    await file.write();
  } finally {
    await file.close();
  }
}

/** Written from an offset, several blocks at a time; the first write cuts the rest of the file. */
class BlockFile {
  readonly #path: string;
  #position: number;
  #handle: FileHandle | null = null;
  #waiting: Uint8Array[] = [];

  constructor(path: string, position: number) {
    this.#path = path;
    this.#position = position;
  }

  async add(block: TextBlock): Promise<void> {
    this.#waiting.push(encodeBlock(block));
    if (this.#waiting.length === writeBlocks) await this.write();
  }

  async write(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting.splice(0));
    this.#handle ??= await openAt(this.#path, this.#position);
    await this.#handle.write(bytes, 0, bytes.byteLength, this.#position);
    this.#position += bytes.byteLength;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

async function openAt(path: string, position: number): Promise<FileHandle> {
  try {
    // Not the folders above it: a run that was deleted meanwhile stays so.
    await mkdir(dirname(path));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT);
  await handle.truncate(position);
  return handle;
}

/** The number of leading blocks that can stay, and their rows. */
async function goodBlocks(records: Rows, path: string, turn: Turn): Promise<{ blocks: number; rows: number }> {
  const index = await TextIndex.open(path, []);
  const good = { blocks: 0, rows: 0 };
  let chunk: IndexRows | null = null;
  try {
    for await (const block of index.all()) {
      if (block === null || block.first !== good.rows || block.first + block.count > records.count) return good;
      if (chunk === null || block.first >= chunk.first + chunk.count) {
        await turn();
        chunk = await chunkAt(records, block.first);
      }
      if (!isOf(block, chunk)) return good;
      good.blocks += 1;
      good.rows += block.count;
    }
    return good;
  } finally {
    await index.close();
  }
}

function chunkAt(records: Rows, row: number): Promise<IndexRows> {
  const first = row - (row % chunkRows);
  return records.rows(first, Math.min(records.count, first + chunkRows));
}

/** Full blocks from a row on; the last rows wait until they are a block. */
async function* blocksFrom(records: Rows, row: number): AsyncGenerator<TextBlock> {
  for (let from = row; from < records.count;) {
    const rows = await chunkAt(records, from);
    while (from < rows.first + rows.count) {
      const to = endOfBlock(rows, from);
      if (to === null) return;
      const start = rows.offset(from - rows.first);
      const end = rows.end(to - 1 - rows.first);
      const bytes = await records.bytes(start, end);
      // Cut while it was read: the search will report it.
      if (bytes.byteLength < end - start) return;
      const recordsCheck = rows.recordsCheck(from - rows.first, to - rows.first);
      yield { first: from, count: to - from, recordsCheck, filter: filterOf(bytes.toString('latin1')) };
      from = to;
    }
  }
}

/** Null where the records end before the block is full. */
function endOfBlock(rows: IndexRows, from: number): number | null {
  const last = rows.first + rows.count;
  const start = rows.offset(from - rows.first);
  for (let row = from; row < last; row++) {
    if (row + 1 - from === blockRows || rows.end(row - rows.first) - start >= blockBytes) return row + 1;
  }
  return rows.count === chunkRows ? last : null;
}

function filterOf(text: string): Uint8Array {
  const filter = new Uint8Array(filterBytes);
  // Another program's lines get no filter.
  for (let line = 0; line !== -1 && line + 1 < text.length; line = text.indexOf('\n', line + 1)) {
    if (!isCompact(text.slice(line === 0 ? 0 : line + 1, line + 200))) return filter.fill(255);
  }
  eachSaid(text, (start, end) => addTrigrams(filter, text, start, end));
  return filter;
}
