import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { CaseError } from '../../../benchmarks/offline/offlineScorer.ts';
import type { CaseLine } from '../../../benchmarks/offline/verdictLines.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { NotUtf8, utf8Text } from '../../../shared/text/utf8.ts';
import { UsageError } from '../../../cli/usageError.ts';

const newline = 0x0a;
const chunkBytes = 1 << 18;

/**
 * Lines of the file named by `--in`, `-` being standard input, in batches of a chunk: a promise for each line takes
 * longer than many a verdict. @throws UsageError when there is no such file to read
 */
export function inputLines(cwd: string, given: string): AsyncGenerator<Iterable<CaseLine>> {
  return linesOf(given === '-' ? process.stdin : chunksOf(resolve(cwd, given), given));
}

/** Read by this thread: there is nothing else that it could do meanwhile, but to hear of an interrupt. */
async function* chunksOf(path: string, given: string): AsyncGenerator<Uint8Array> {
  const file = openToRead(path, given);
  try {
    // The buffer is reused: a chunk is consumed before the next one is read.
    const chunk = new Uint8Array(chunkBytes);
    for (;;) {
      const bytes = readSync(file, chunk);
      if (bytes === 0) return;
      yield chunk.subarray(0, bytes);
      await new Promise((heard) => setImmediate(heard));
    }
  } finally {
    closeSync(file);
  }
}

function openToRead(path: string, given: string): number {
  try {
    const file = openSync(path, 'r');
    if (!fstatSync(file).isDirectory()) return file;
    closeSync(file);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new UsageError(`--in ${given} does not exist.`, 'Give a file with cases.');
    if (codeOf(error) === '') throw error;
    throw new UsageError(`--in ${given} cannot be read (${codeOf(error)}).`, 'Give a file that you may read.');
  }
  throw new UsageError(`--in ${given} is a folder.`, 'Give a file in it.');
}

/**
 * Lines as `\n` ends them and nothing else: JSON may hold the other separators of Unicode unescaped. Never more than a line
 * and a chunk are in memory.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Iterable<CaseLine>> {
  let rest: Buffer[] = [];
  let isFirst = true;
  for await (const chunk of chunks) {
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const end = bytes.lastIndexOf(newline) + 1;
    if (end === 0) {
      rest.push(Buffer.from(bytes));
      continue;
    }
    // Only a line that began in an earlier chunk is copied: copying whole chunks causes garbage collections.
    const behindFirst = bytes.indexOf(newline) + 1;
    const first = Buffer.concat([...rest, bytes.subarray(0, behindFirst)]);
    rest = [Buffer.from(bytes.subarray(end))];
    yield wholeLines(first.subarray(isFirst ? startOf(first) : 0), bytes.subarray(behindFirst, end));
    isFirst = false;
  }
  const last = Buffer.concat(rest);
  const start = isFirst ? startOf(last) : 0;
  if (start < last.length) yield [textOf(last.subarray(start))];
}

/**
 * Made on demand: waiting lines burden the garbage collector. One by one, since a single letter of another script would
 * double the memory and time of all lines in one string.
 */
function* wholeLines(first: Buffer, bytes: Buffer): Generator<CaseLine> {
  yield textOf(first.subarray(0, -1));
  // Asked once for all lines: most files have no other.
  const isText = isUtf8(bytes);
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    yield isText ? bytes.toString('utf8', start, end) : textOf(bytes.subarray(start, end));
    start = end + 1;
  }
}

/** A line in another encoding has no verdict: its letters would be judged as replacement characters. */
function textOf(bytes: Uint8Array): CaseLine {
  try {
    return utf8Text(bytes);
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    return new CaseError('not-utf8', '', `the line cannot be read: ${error.message}. Save the file as UTF-8`);
  }
}

/** Behind the mark that some programs put before UTF-8. */
const startOf = (bytes: Buffer): number => (bytes.subarray(0, mark.length).equals(mark) ? mark.length : 0);
const mark = Buffer.from('\ufeff');
