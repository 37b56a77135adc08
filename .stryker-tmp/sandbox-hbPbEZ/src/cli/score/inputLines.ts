import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf } from '../../shared/systemError.ts';
import { UsageError } from '../usageError.ts';

/** Lines of what `--in` names, `-` being standard input. @throws UsageError when there is no such file to read */
export async function* inputLines(cwd: string, given: string): AsyncGenerator<string> {
  if (given === '-') {
    yield* linesOf(process.stdin);
    return;
  }
  const handle = await openToRead(resolve(cwd, given), given);
  yield* linesOf(handle.createReadStream());
}

async function openToRead(path: string, given: string) {
  try {
    const handle = await open(path, 'r');
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
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
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    for (const [index, piece] of pieces.entries()) {
      yield index === 0 ? rest + piece : piece;
    }
    rest = pieces.length === 0 ? rest + last : last;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
