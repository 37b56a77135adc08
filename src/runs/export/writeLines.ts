import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Lines are gathered into pieces of this many characters. */
const pieceLength = 256 * 1024;

/** Each with its line break, several together. */
export async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** No faster than the stream takes them. @throws as `writeLines` does */
export async function writePieces(pieces: AsyncIterable<string>, out: Writable): Promise<void> {
  for await (const piece of pieces) if (!out.write(piece)) await once(out, 'drain');
}

/**
 * Writes lines no faster than the stream takes them, and returns their number. The stream stays open; its owner handles
 * its errors. @throws the errors of the lines' source, and the stream's error while waiting for it
 */
export async function writeLines(lines: AsyncIterable<string>, out: Writable): Promise<number> {
  let count = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const line of lines) {
      count += 1;
      yield line;
    }
  }
  await writePieces(inPieces(counted()), out);
  return count;
}
