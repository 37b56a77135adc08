import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../../shared/systemError.ts';
import { UsageError } from '../usageError.ts';

const newline = 0x0a;
const chunkBytes = 1 << 20;

/**
 * Lines of what `--in` names, `-` being standard input, as many at a time as a chunk of it has: a promise for each line takes
 * longer than many a verdict. @throws UsageError when there is no such file to read
 */
export function inputLines(cwd: string, given: string): AsyncGenerator<string[]> {
  return linesOf(given === '-' ? process.stdin : chunksOf(resolve(cwd, given), given));
}

/** Read by this thread: there is nothing else that it could do meanwhile, but to hear of an interrupt. */
async function* chunksOf(path: string, given: string): AsyncGenerator<Uint8Array> {
  const file = openToRead(path, given);
  try {
    for (;;) {
      const chunk = new Uint8Array(chunkBytes);
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
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest: Uint8Array[] = [];
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    const end = bytes.lastIndexOf(newline);
    if (end === -1) rest.push(bytes);
    else {
      // Whole lines are whole characters: no state of the decoder goes from one to the next.
      yield decoder.decode(joined([...rest, bytes.subarray(0, end)])).split('\n');
      rest = [bytes.subarray(end + 1)];
    }
  }
  const last = decoder.decode(joined(rest));
  if (last !== '') yield [last];
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => {
  const [first, ...more] = pieces.filter(({ length }) => length > 0);
  return more.length === 0 && first !== undefined ? first : Buffer.concat(pieces);
};
